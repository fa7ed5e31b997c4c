import { showToast } from '../../../ui/toast.tsx'
import { useAuth } from '../components/auth-context.tsx'
import { SIGN_OUT_FAILED } from '../sign-out-messages.ts'

/** Signs out from any screen. On failure, a toast says so and the screen stays as it is. */
export function useLogout(): () => void {
  const { logout } = useAuth()
  return () =>
    void logout().then((isSignedOut) => {
      if (!isSignedOut) showToast({ type: 'error', text: SIGN_OUT_FAILED })
    })
}
