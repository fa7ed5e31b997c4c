import { useRouteLoaderData } from 'react-router'
import { useAuth } from '../features/accounts/components/auth-context.tsx'
import type { loader as rootLoader } from '../root.tsx'

/** The name of the person as whom an operator sees the product; undefined outside such a view. */
export function useViewOf(): string | undefined {
  const site = useRouteLoaderData<typeof rootLoader>('root')
  const { user } = useAuth()
  return user?.viewOf ?? site?.viewOf
}
