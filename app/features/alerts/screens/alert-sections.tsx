import { deferred } from '../../../ui/deferred.tsx'
import type { AlertForm as Form } from './alert-form-sections.tsx'

/** 'Tell me' below a list. */
export const AlertForm = deferred<Parameters<typeof Form>[0]>(
  'alert-form',
  async () => (await import('./alert-form-sections.tsx')).AlertForm,
)
