import { Outlet } from 'react-router'
import { LiveDataNote } from '../ui/live-data-note.tsx'
import { LoadingText } from '../ui/skeleton.tsx'

/**
 * The screen inside the frame of the account or the dashboard, and what stands in its place.
 * @param isShown false once the sign-in has ended
 * @param isOnTheWay whether another screen of the frame is loading
 */
export function ScreenOutlet(props: { isShown: boolean; isOnTheWay: boolean; loadingText: string }) {
  const { isShown, isOnTheWay, loadingText } = props
  return (
    <>
      {isOnTheWay || !isShown ? <LoadingText>{loadingText}</LoadingText> : null}
      {/* Out of sight, not gone: if the next screen can't be loaded, this one comes back with what was typed. */}
      {isShown ? (
        <div className={isOnTheWay ? 'hidden' : 'contents'}>
          <Outlet />
        </div>
      ) : null}
      <LiveDataNote />
    </>
  )
}
