import { Search } from 'lucide-react'
import { type ComponentProps, type FormEvent, type ReactNode, useId } from 'react'
import { useNavigate } from 'react-router'
import { Button } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { type BusinessFilter, CATEGORIES, filterHref, readFilter } from '../rules.ts'

/**
 * What, where and which words, in one line on a wide screen. A plain GET form: it works before and without the
 * script, which only keeps empty fields out of the address.
 * @param action the list that answers
 * @param places suggestions for the place
 * @param withCategory false on the page of one category
 */
export function FilterBar({
  action,
  filter,
  places,
  withCategory = true,
  wordsHint = 'Garden, jazz, vegan …',
}: {
  action: string
  filter?: BusinessFilter
  places: readonly string[]
  withCategory?: boolean
  wordsHint?: string
}) {
  const id = useId()
  const navigate = useNavigate()
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const typed = new URLSearchParams()
    for (const [name, value] of new FormData(event.currentTarget)) typed.set(name, String(value))
    void navigate(filterHref(action, readFilter(typed)))
  }
  return (
    <search>
      <form
        // Another address is another filter: what was typed before must not stay in the fields.
        key={JSON.stringify(filter)}
        method="get"
        action={action}
        onSubmit={onSubmit}
        className={classNames(
          'grid gap-px rounded-card border border-line-strong bg-line shadow-float',
          withCategory ? 'md:grid-cols-[1fr_1fr_1.15fr_auto]' : 'md:grid-cols-[1fr_1.15fr_auto]',
        )}
      >
        {withCategory ? (
          <Cell label="What" htmlFor={`${id}-what`} className="max-md:rounded-t-[13px] md:rounded-l-[13px]">
            <select
              id={`${id}-what`}
              name="category"
              defaultValue={filter?.category ?? ''}
              className="-ml-1 w-[calc(100%+4px)] cursor-pointer truncate bg-transparent text-[max(16px,1rem)] outline-none"
            >
              <option value="">Anything</option>
              {CATEGORIES.map((category) => (
                <option key={category}>{category}</option>
              ))}
            </select>
          </Cell>
        ) : null}
        <Cell
          label="Where"
          htmlFor={`${id}-where`}
          className={withCategory ? undefined : 'max-md:rounded-t-[13px] md:rounded-l-[13px]'}
        >
          <CellInput
            id={`${id}-where`}
            name="place"
            defaultValue={filter?.place}
            placeholder="Suburb, town or state"
            list={`${id}-places`}
            autoComplete="off"
            maxLength={100}
          />
          <datalist id={`${id}-places`}>
            {places.map((place) => (
              <option key={place} value={place} />
            ))}
          </datalist>
        </Cell>
        <Cell label="In a few words" htmlFor={`${id}-words`}>
          <CellInput
            id={`${id}-words`}
            name="q"
            type="search"
            defaultValue={filter?.q}
            placeholder={wordsHint}
            enterKeyHint="search"
            maxLength={100}
          />
        </Cell>
        <div className="grid rounded-b-[13px] bg-surface p-2 md:rounded-l-none md:rounded-r-[13px]">
          <Button
            type="submit"
            variant="primary"
            icon={<Search aria-hidden="true" />}
            className="h-full md:px-8"
          >
            Search
          </Button>
        </div>
      </form>
    </search>
  )
}

function Cell({
  label,
  htmlFor,
  className,
  children,
}: {
  label: string
  htmlFor: string
  className?: string | undefined
  children: ReactNode
}) {
  return (
    <div
      className={classNames(
        'min-w-0 bg-surface px-5 pt-2.5 pb-3 focus-within:shadow-[inset_0_0_0_3px_var(--brand)]',
        className,
      )}
    >
      <label htmlFor={htmlFor} className="block text-sm font-semibold">
        {label}
      </label>
      {children}
    </div>
  )
}

function CellInput(props: ComponentProps<'input'>) {
  return <input type="text" {...props} className="w-full bg-transparent text-[max(16px,1rem)] outline-none" />
}
