import { useLogout } from '../../features/accounts/browser/use-logout.ts'
import { useAuth } from '../../features/accounts/components/auth-context.tsx'
import { CATEGORIES, CATEGORY_PATHS } from '../../features/businesses/rules.ts'
import { DrawerContents } from '../../shell/drawer-contents.tsx'

const categoryLinks = CATEGORIES.map((category) => ({ label: category, to: CATEGORY_PATHS[category] }))

/** The drawer's links and search for the current visitor, whom it looks up itself. */
export function SiteDrawer() {
  const { user, loading, unreadCount } = useAuth()
  const logout = useLogout()
  return (
    <DrawerContents
      user={user}
      loading={loading}
      unreadCount={unreadCount}
      onLogout={logout}
      links={categoryLinks}
    />
  )
}
