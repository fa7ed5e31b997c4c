import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { classNames } from '../../../ui/class-names.ts'
import { TextField, type TextFieldProps } from '../../../ui/field.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { requirementText } from '../messages.ts'
import { type PasswordPolicy, requirementsOf, unmetRequirements } from '../rules.ts'

/**
 * A password with a 'Show' button and a Caps Lock hint. A new password also lists its requirements, ticked off while it
 * is typed.
 */
export function PasswordField({
  policy,
  className,
  ...rest
}: Omit<TextFieldProps, 'type' | 'feedback' | 'prefix'> & { policy?: PasswordPolicy | undefined }) {
  const [isVisible, setVisible] = useState(false)
  const [capsLock, setCapsLock] = useState(false)
  const [typed, setTyped] = useState('')
  const input = useRef<HTMLInputElement>(null)
  // Typed before the script had loaded, or filled in by the browser.
  useEffect(() => setTyped(input.current?.value ?? ''), [])
  const watchCapsLock = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'))
  return (
    <div className={classNames('relative', className)}>
      <TextField
        {...rest}
        ref={input}
        type={isVisible ? 'text' : 'password'}
        spellCheck={false}
        autoCapitalize="none"
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={watchCapsLock}
        onKeyUp={watchCapsLock}
        onBlur={() => setCapsLock(false)}
        feedback={
          policy || capsLock ? (
            <>
              {capsLock ? <p className="font-medium text-ink">Caps Lock is on.</p> : null}
              {policy ? <RequirementList policy={policy} password={typed} /> : null}
            </>
          ) : null
        }
      />
      <button
        type="button"
        className="-top-2.5 -right-2 absolute min-h-11 rounded-control px-2 font-medium text-brand text-sm hover:underline"
        aria-pressed={isVisible}
        aria-label="Show password"
        onClick={() => setVisible(!isVisible)}
      >
        {isVisible ? 'Hide' : 'Show'}
      </button>
    </div>
  )
}

function RequirementList({ policy, password }: { policy: PasswordPolicy; password: string }) {
  const unmet = new Set(unmetRequirements(policy, password))
  return (
    <ul className="grid gap-1 sm:grid-cols-2">
      {requirementsOf(policy).map((requirement) => {
        // An empty field trivially meets 'at most': no tick for that.
        const met = password !== '' && !unmet.has(requirement)
        return (
          <li key={requirement} className={classNames('flex items-center gap-2', met && 'text-success')}>
            <span
              aria-hidden="true"
              className={classNames(
                'grid size-4 shrink-0 place-items-center rounded-full border',
                met ? 'border-success bg-success text-surface' : 'border-line-strong',
              )}
            >
              {met ? <Icon name="check" className="size-3" style={{ strokeWidth: 3.5 }} /> : null}
            </span>
            {requirementText(requirement, policy)}
            {met ? <span className="unseen">: done</span> : null}
          </li>
        )
      })}
    </ul>
  )
}
