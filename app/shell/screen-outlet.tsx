import { Outlet } from 'react-router'
import { LiveDataNote } from '../ui/live-data-note.tsx'
import { ReadOnlyFrame } from '../ui/read-only.tsx'
import { LoadingText } from '../ui/skeleton.tsx'

/**
 * The current screen of the account or the dashboard, or its loading text.
 * @param props.isShown false once the session has ended
 * @param props.isOnTheWay whether another screen of the frame is loading
 * @param props.isReadOnly whether an operator sees it as another person
 */
export function ScreenOutlet(props: {
  isShown: boolean
  isOnTheWay: boolean
  isReadOnly: boolean
  loadingText: string
}) {
  const { isShown, isOnTheWay, isReadOnly, loadingText } = props
  return (
    <>
      {isOnTheWay || !isShown ? <LoadingText>{loadingText}</LoadingText> : null}
      {/* Hidden but still mounted: if the next screen can't be loaded, this one comes back with what was typed. */}
      {isShown ? (
        <div className={isOnTheWay ? 'hidden' : 'contents'}>
          <ReadOnlyFrame isOn={isReadOnly}>
            <Outlet />
          </ReadOnlyFrame>
        </div>
      ) : null}
      <LiveDataNote />
    </>
  )
}
