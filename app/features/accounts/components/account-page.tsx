import type { ReactNode } from 'react'
import { href } from 'react-router'
import { Picture } from '../../../ui/picture.tsx'
import '../../../styles/whole.css'

const SIZE = { width: 1600, height: 2133, colour: null }

/**
 * The frame of the screens around signing in: the form in its column and, where there is room, a picture beside it.
 * @param props.picture a scene and a seed of our illustrations
 */
export function AccountPage({
  title,
  intro,
  picture,
  children,
}: {
  title: string
  intro?: ReactNode
  picture: `${string}/${string}`
  children?: ReactNode
}) {
  const [scene = '', seed = ''] = picture.split('/')
  const url = href('/illustrations/:scene/:seed/:ratio?', { scene, seed, ratio: '3x4' })
  return (
    <div className="page grid gap-x-20 py-8 md:py-14 lg:grid-cols-[minmax(0,30rem)_minmax(0,1fr)]">
      <div className="mx-auto w-full max-w-column [overflow-wrap:anywhere] lg:mx-0 lg:py-6">
        <h1>{title}</h1>
        {intro ? <div className="mt-3 text-quiet">{intro}</div> : null}
        <div className="mt-7">{children}</div>
      </div>
      <div className="hidden max-h-[44rem] overflow-hidden rounded-card lg:block">
        <Picture
          image={{ ...SIZE, url }}
          alt=""
          sizes="(min-width: 1280px) 42rem, 45vw"
          className="h-full w-full"
        />
      </div>
    </div>
  )
}
