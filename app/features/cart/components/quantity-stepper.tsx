import { useState } from 'react'
import { IconButton } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { MAX_CART_QUANTITY, MIN_CART_QUANTITY, typedQuantity } from '../rules.ts'

/** A quantity input with step buttons, never below 1. `label` names the quantity. */
export function QuantityStepper({
  label,
  quantity,
  onChange,
}: {
  label: string
  quantity: number
  onChange: (quantity: number) => void
}) {
  // The field may be empty while the visitor types. Leaving it shows the real quantity again.
  const [typed, setTyped] = useState<string | null>(null)
  return (
    // biome-ignore lint/a11y/useSemanticElements: three controls of one value inside a list, not a set of form fields
    <div
      role="group"
      aria-label={label}
      className="inline-flex items-center rounded-control border border-line-strong bg-surface"
    >
      <IconButton
        label="One less"
        disabled={quantity <= MIN_CART_QUANTITY}
        className="disabled:opacity-35"
        onClick={() => onChange(quantity - 1)}
      >
        <Icon name="minus" />
      </IconButton>
      <input
        aria-label="Quantity"
        className="figures h-11 w-11 sm:w-14 bg-transparent text-center font-semibold"
        inputMode="numeric"
        value={typed ?? quantity}
        onFocus={(event) => event.currentTarget.select()}
        onChange={(event) => {
          const text = event.currentTarget.value
          setTyped(text)
          onChange(typedQuantity(text))
        }}
        onBlur={() => setTyped(null)}
      />
      <IconButton
        label="One more"
        disabled={quantity >= MAX_CART_QUANTITY}
        className="disabled:opacity-35"
        onClick={() => onChange(quantity + 1)}
      >
        <Icon name="plus" />
      </IconButton>
    </div>
  )
}
