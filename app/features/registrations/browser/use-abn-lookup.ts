import { useEffect, useEffectEvent, useState } from 'react'
import { href } from 'react-router'
import type { BusinessStructure } from '../rules.ts'
import { isValidAbn } from '../rules.ts'

/** The values of the register to fill in: '' and null where it has nothing. */
export type Suggestion = { businessName: string; structure: BusinessStructure | null }

type Reply = ({ ok: true; text: string } & Suggestion) | { ok: false; reason: string }

/** The line of the register below the ABN; null without one. */
export type AbnLookup = { kind: 'looking' | 'failed' } | { kind: 'found'; text: string } | null

/**
 * Asks the register about an ABN once its eleven digits are right. Where no register is asked, or nobody is signed in any more,
 * there is no line.
 * @param known the ABN that is saved, whose own page shows the answer
 * @param onFound called once with what may be filled in
 */
export function useAbnLookup(digits: string, known: string, onFound: (found: Suggestion) => void): AbnLookup {
  const [lookup, setLookup] = useState<AbnLookup>(null)
  const found = useEffectEvent(onFound)
  useEffect(() => {
    setLookup(null)
    if (digits === known || !isValidAbn(digits)) return
    const asking = new AbortController()
    setLookup({ kind: 'looking' })
    const ask = async () => {
      const reply = await askAbout(digits, asking.signal)
      if (asking.signal.aborted) return
      if (!reply || (!reply.ok && (reply.reason === 'unavailable' || reply.reason === 'too_often'))) {
        setLookup({ kind: 'failed' })
      } else if (reply.ok) {
        setLookup({ kind: 'found', text: reply.text })
        found(reply)
      } else setLookup(null)
    }
    void ask()
    return () => asking.abort()
  }, [digits, known])
  return lookup
}

/** @returns null without an answer of ours */
async function askAbout(abn: string, signal: AbortSignal): Promise<Reply | null> {
  try {
    const response = await fetch(`${href('/api/business-register')}?${new URLSearchParams({ abn })}`, {
      signal,
    })
    return (await response.json()) as Reply
  } catch {
    return null
  }
}
