import { href } from 'react-router'
import { NOT_SAVED_TEXT } from '../messages.ts'

/** @property text why it was refused */
export type HeartAnswer = { ok: true; ids: string[] } | { ok: false; text: string }

/** Reads the ids of the saved businesses. null if the server can't tell. */
export async function findSaved(): Promise<string[] | null> {
  const response = await fetch(href('/api/shortlist'))
  return response.ok ? ((await response.json()) as { ids: string[] }).ids : null
}

/** Saves or removes a business. Never fails: without a connection it is refused. */
export async function pressHeart(businessId: string, saved: boolean): Promise<HeartAnswer> {
  try {
    const response = await fetch(href('/api/shortlist'), {
      method: 'POST',
      // The visitor may follow a link at once.
      keepalive: true,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ businessId, saved }),
    })
    const body = (await response.json()) as { ids?: string[]; error?: { message: string } }
    if (response.ok && body.ids) return { ok: true, ids: body.ids }
    return { ok: false, text: body.error?.message ?? NOT_SAVED_TEXT }
  } catch {
    return { ok: false, text: NOT_SAVED_TEXT }
  }
}
