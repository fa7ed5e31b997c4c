import type { FormEvent } from 'react'
import { href, useNavigate } from 'react-router'
import { Icon } from '../../../ui/icon.tsx'
import { hasPageBefore } from '../../../ui/page-before.ts'
import { GO_BACK_TEXT } from '../messages.ts'

/**
 * 'Go Back': returns to the previous page of this visit, else to the list. A form, so that it reaches the list without
 * JavaScript too.
 */
export function GoBackButton() {
  const navigate = useNavigate()
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    void (hasPageBefore() ? navigate(-1) : navigate(href('/venues-vendors')))
  }
  return (
    <form action={href('/venues-vendors')} onSubmit={onSubmit}>
      <button
        type="submit"
        className="-ml-1 inline-flex min-h-11 items-center gap-2 pr-3 font-semibold text-brand hover:text-brand-strong hover:underline hover:underline-offset-4"
      >
        <Icon name="arrow-left" className="size-5" />
        {GO_BACK_TEXT}
      </button>
    </form>
  )
}
