import { Form } from 'react-router'
import { Button } from '../../../ui/button.tsx'

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
          maxLength={100}
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
