import {
  type ChangeEvent,
  type ClipboardEvent,
  type ComponentProps,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { TextField } from '../../../ui/field.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { lineProps } from '../../../ui/schema-field.tsx'
import type { FieldsOf } from '../../../ui/schema-form.ts'
import { setTyped } from '../../../ui/set-typed.ts'
import { type AbnLookup, type Suggestion, useAbnLookup } from '../browser/use-abn-lookup.ts'
import { ABN_INVALID_FEEDBACK, ABN_VALID_FEEDBACK } from '../messages.ts'
import { filledText, LOOKING_TEXT, LOOKUP_FAILED_TEXT } from '../register-messages.ts'
import { abnDigits, abnState, GROUPED_ABN_LENGTH, groupAbnDigits } from '../rules.ts'
import { REGISTRATION_INPUTS, type Registration } from '../schema.ts'

/** The position of the digit beyond a deleted space, counted from the digits before the cursor. */
const BEYOND = new Map([
  ['deleteContentBackward', -1],
  ['deleteContentForward', 0],
])

/** The ABN, typed as digits and shown in groups of 2-3-3-3, with its indicator (Specification, sections 4 and 5). */
export function AbnField({
  field: { id, name, initialValue, errors: error },
  known,
  onFound,
  filled,
}: {
  field: FieldsOf<Registration>['abn']
  /** The ABN that is saved; '' without one. */
  known: string
  /** Called with what the register has to fill in. */
  onFound: (found: Suggestion) => void
  /** The labels of what it has filled in. */
  filled: readonly string[]
}) {
  const [digits, setDigits] = useState(() => abnDigits(initialValue ?? ''))
  const [isTyping, setIsTyping] = useState(false)
  const input = useRef<HTMLInputElement | null>(null)
  /**
   * The number of digits before the cursor. Grouping would move the cursor, which has to stay where the person is
   * typing.
   */
  const cursor = useRef<number | null>(null)
  // Renders after an edit that has changed no digit, too, so that the cursor is set.
  const [, setEdits] = useState(0)
  const groupedDigits = groupAbnDigits(digits)
  const state = abnState(digits, isTyping)
  const lookup = useAbnLookup(digits, known, onFound)

  useLayoutEffect(() => {
    if (cursor.current === null || document.activeElement !== input.current) return
    const at = groupedPosition(groupedDigits, cursor.current)
    input.current?.setSelectionRange(at, at)
    cursor.current = null
  })

  const onChange = (event: ChangeEvent<HTMLInputElement>) => {
    const { value, selectionStart } = event.currentTarget
    const at = abnDigits(value.slice(0, selectionStart ?? value.length)).length
    const typed = abnDigits(value)
    // Backspace or Delete has taken a space, which grouping puts back: the digit beyond it has to go instead.
    const isSpace = typed === digits && value.length < groupedDigits.length
    const beyond = isSpace ? BEYOND.get((event.nativeEvent as InputEvent).inputType) : undefined
    const gone = beyond === undefined ? null : at + beyond
    cursor.current = gone ?? at
    setEdits((count) => count + 1)
    setIsTyping(true)
    setDigits(gone === null ? typed : typed.slice(0, gone) + typed.slice(gone + 1))
  }
  // The browser would cut a pasted text to the field's length before its letters are removed.
  const onPaste = (event: ClipboardEvent<HTMLInputElement>) => {
    event.preventDefault()
    const { value, selectionStart, selectionEnd } = event.currentTarget
    const before = value.slice(0, selectionStart ?? value.length)
    const after = value.slice(selectionEnd ?? value.length)
    const pasted = abnDigits(event.clipboardData.getData('text'))
    cursor.current = abnDigits(before + pasted).length
    setTyped(event.currentTarget, groupAbnDigits(abnDigits(before + pasted + after)))
  }

  const props: ComponentProps<'input'> = { onChange, onPaste }
  return (
    <TextField
      {...lineProps(REGISTRATION_INPUTS.abn)}
      {...props}
      ref={input}
      id={id}
      name={name}
      maxLength={GROUPED_ABN_LENGTH}
      value={groupedDigits}
      onBlur={() => setIsTyping(false)}
      onFocus={() => setIsTyping(true)}
      error={error}
      // After a submit, the error already says it.
      feedback={
        state === 'neutral' || (error && state === 'invalid') ? (
          <span />
        ) : (
          <>
            <Indicator isValid={state === 'valid'} />
            <RegisterAnswer lookup={lookup} filled={filled} />
          </>
        )
      }
    />
  )
}

function Indicator({ isValid }: { isValid: boolean }) {
  const icon = isValid ? 'circle-check' : 'circle-alert'
  return (
    <span className={`inline-flex items-center gap-2 font-medium ${isValid ? 'text-success' : 'text-error'}`}>
      <Icon name={icon} className="size-4" />
      {isValid ? ABN_VALID_FEEDBACK : ABN_INVALID_FEEDBACK}
    </span>
  )
}

/** The register's answer, below the indicator of the check digits. */
function RegisterAnswer({ lookup, filled }: { lookup: AbnLookup; filled: readonly string[] }) {
  if (!lookup) return null
  if (lookup.kind !== 'found')
    return <span className="mt-1 block">{lookup.kind === 'looking' ? LOOKING_TEXT : LOOKUP_FAILED_TEXT}</span>
  return (
    <>
      <span className="mt-1 block [overflow-wrap:anywhere]">{lookup.text}</span>
      {filled.length > 0 ? <span className="mt-1 block">{filledText(filled)}</span> : null}
    </>
  )
}

/** Returns the position in the grouped text after this many digits. */
function groupedPosition(grouped: string, digitsBefore: number): number {
  let seen = 0
  for (let at = 0; at < grouped.length; at++) {
    if (seen === digitsBefore) return at
    if (grouped[at] !== ' ') seen++
  }
  return grouped.length
}
