import { deferred } from '../../../ui/deferred.tsx'
import type { AlertForm as Form } from '../components/alert-form.tsx'

/** 'Tell me' below a list. */
export const AlertForm = deferred<Parameters<typeof Form>[0]>(
  'alert-form',
  async () => (await import('../components/alert-form.tsx')).AlertForm,
)
