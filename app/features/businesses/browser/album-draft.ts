import { formDraft } from '../../../ui/form-draft.ts'
import { albumStepSchema } from '../album-schema.ts'
import type { UnsentStep } from './album-client.ts'

/** The steps that couldn't be sent, in this tab: a reload without a connection loses none. */
export function unsentSteps({ userId, businessId }: { userId: string; businessId: string }) {
  const store = formDraft({
    key: `album:${userId}:${businessId}`,
    parse: (stored) => ({ steps: Array.isArray(stored.steps) ? stored.steps.flatMap(readStep) : [] }),
  })
  return {
    read: (): UnsentStep[] => store.read()?.steps ?? [],
    keep(steps: readonly UnsentStep[]) {
      if (steps.length > 0) store.keep({ steps: [...steps] })
      else store.forget()
    },
  }
}

/** This page wrote them, but anything could have changed them. */
function readStep(stored: unknown): UnsentStep[] {
  const { step, picture } = (stored ?? {}) as { step?: unknown; picture?: Partial<UnsentStep['picture']> }
  const parsed = albumStepSchema.safeParse(step)
  if (!parsed.success) return []
  const isPicture =
    typeof picture?.url === 'string' &&
    picture.url.startsWith('/') &&
    typeof picture.width === 'number' &&
    typeof picture.height === 'number' &&
    typeof picture.colour === 'string'
  return [{ step: parsed.data, picture: isPicture ? (picture as UnsentStep['picture']) : null }]
}
