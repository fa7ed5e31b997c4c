import { useEffect } from 'react'
import { useLocation, useRevalidator } from 'react-router'
import { Button } from './button.tsx'
import { EmptyState } from './empty-state.tsx'

/**
 * Replaces the content that a screen could not load; the frame around it stays. 'Try again' reloads the data, or
 * submits a plain GET form if there is no JavaScript. The data also reloads when the browser is online again.
 * @param props.heading the screen's own h1
 */
export function LoadFailure({ heading, title, text }: { heading: string; title: string; text: string }) {
  const { pathname, search } = useLocation()
  const { revalidate, state } = useRevalidator()
  useEffect(() => {
    const reload = () => void revalidate()
    window.addEventListener('online', reload)
    return () => window.removeEventListener('online', reload)
  }, [revalidate])
  return (
    <>
      <title>{heading}</title>
      <h1 className="text-3xl md:text-4xl">{heading}</h1>
      <div role="alert">
        <EmptyState
          title={title}
          text={text}
          action={
            <form
              method="get"
              action={pathname}
              onSubmit={(event) => {
                event.preventDefault()
                void revalidate()
              }}
            >
              {[...new URLSearchParams(search)].map(([name, value]) => (
                <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
              ))}
              <Button type="submit" variant="brand" pending={state === 'loading'} pendingText="Trying...">
                Try again
              </Button>
            </form>
          }
        />
      </div>
    </>
  )
}

/** The same for a screen without its own wording. */
export function ScreenFailure({ heading }: { heading: string }) {
  return (
    <LoadFailure
      heading={heading}
      title="This screen couldn’t be loaded"
      text="Nothing is lost. Try again in a moment."
    />
  )
}
