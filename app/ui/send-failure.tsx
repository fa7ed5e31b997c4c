import { useEffect, useRef, useState } from 'react'
import { type SendFailure as Failure, useConnection } from './connection.ts'
import { Icon } from './icon.tsx'

/**
 * Reports that the surrounding form could not be sent. Place it beside the submit button.
 * @param props.lostText the feature's own message for a lost connection, if any
 */
export function SendFailure({ lostText }: { lostText?: string }) {
  const { failure } = useConnection()
  const mark = useRef<HTMLSpanElement>(null)
  const [text, setText] = useState<string | null>(null)
  useEffect(() => {
    const form = mark.current?.closest('form')
    const isOurs = failure !== null && form != null && isFrom(form, failure)
    if (isOurs) failure.isShown = true
    setText(isOurs ? (failure.isLost && lostText) || failure.text : null)
  }, [failure, lostText])
  return (
    <>
      <span ref={mark} hidden />
      {text ? (
        <div className="notice notice-error mt-3 w-full" role="alert">
          <Icon name="circle-alert" />
          <p>{text}</p>
        </div>
      ) : null}
    </>
  )
}

/** Whether a submission came from this form: same action, same hidden fields, and one of its buttons. */
function isFrom(form: HTMLFormElement, { path, fields }: Failure): boolean {
  const action = new URL(form.getAttribute('action') ?? '', window.location.href)
  if (action.pathname !== path) return false
  const sends = ({ name, value }: { name: string; value: string }) => fields.getAll(name).includes(value)
  const fixed = form.querySelectorAll<HTMLInputElement>('input[type=hidden][name]')
  const buttons = [...form.querySelectorAll<HTMLButtonElement>('button[type=submit][name]')]
  return [...fixed].every(sends) && (buttons.length === 0 || buttons.some(sends))
}
