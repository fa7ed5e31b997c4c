import { Form, href } from 'react-router'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { SEARCH_HINT, SEARCH_LABEL } from '../messages.ts'
import { MAX_WORDS } from '../rules.ts'

/** Searches one of the operators' lists by words. Other query parameters stay. */
export function SearchForm({
  label,
  words,
  keep = {},
  checkbox,
}: {
  label: string
  words: string
  keep?: Record<string, string>
  checkbox?: { name: string; label: string; checked: boolean }
}) {
  return (
    <search>
      <Form className="flex flex-wrap items-center gap-x-4 gap-y-3" key={words}>
        {Object.entries(keep).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <input
          className="control min-w-0 grow basis-60"
          type="search"
          name="q"
          aria-label={label}
          placeholder={label}
          defaultValue={words}
          maxLength={MAX_WORDS}
        />
        {checkbox ? (
          <label className="flex min-h-11 items-center gap-2.5">
            <input
              type="checkbox"
              className="checkbox"
              name={checkbox.name}
              value="1"
              defaultChecked={checkbox.checked}
            />
            {checkbox.label}
          </label>
        ) : null}
        <Button type="submit">Search</Button>
      </Form>
    </search>
  )
}

/** The one field that searches accounts, bookings, payments and listings, in the frame of every operators' screen. */
export function SearchEverything() {
  return (
    <search className="w-full sm:w-96">
      <Form action={href('/operations/search')} className="flex gap-2">
        <input
          className="control min-w-0 grow"
          type="search"
          name="q"
          aria-label={`Search everything: ${SEARCH_LABEL.toLowerCase()}`}
          placeholder={SEARCH_HINT}
          required
          maxLength={MAX_WORDS}
        />
        <Button type="submit" aria-label="Search everything">
          <Icon name="search" />
        </Button>
      </Form>
    </search>
  )
}
