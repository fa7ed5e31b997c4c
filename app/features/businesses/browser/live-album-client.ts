import type { AlbumPicture } from '../album-rules.ts'
import { type AlbumClient, type AlbumPorts, createAlbumClient, type UnsentStep } from './album-client.ts'

/** How long an album that has sent everything is kept: a page that was read meanwhile may not have the last change yet. */
const SETTLED_MS = 10_000

type Live = { client: AlbumClient; screens: number; check: () => void }

/**
 * The albums that are being changed, one client for each user and listing. A client goes on sending after its screen is left, and a
 * screen that comes back meanwhile has the same one: two of them would send each other's steps again.
 * @param ports.onUnsent told whether an album has steps that the server doesn't have yet
 */
export function createLiveAlbums({ onUnsent }: { onUnsent: (isUnsent: boolean) => void }) {
  const albums = new Map<string, Live>()
  const retryAll = () => {
    for (const { client } of albums.values()) client.retry()
  }
  const tell = () => onUnsent([...albums.values()].some(({ client }) => client.state().isSaving))

  /** Keeps an album until nobody looks at it any more and the server has all of it. */
  function keep(key: string, client: AlbumClient): Live {
    let timer: ReturnType<typeof setTimeout> | undefined
    const check = () => {
      tell()
      clearTimeout(timer)
      if (live.screens > 0 || client.state().isSaving) return
      timer = setTimeout(() => {
        stop()
        albums.delete(key)
      }, SETTLED_MS)
    }
    const live: Live = { client, screens: 0, check }
    const stop = client.subscribe(check)
    albums.set(key, live)
    return live
  }

  return {
    /** The client of an album that is being changed, or a new one, which is kept once a screen has entered it. */
    clientOf: (key: string, start: readonly AlbumPicture[], ports: AlbumPorts): AlbumClient =>
      albums.get(key)?.client ?? createAlbumClient(start, ports),
    /**
     * Begins a screen of an album.
     * @param read the steps that an earlier page couldn't send
     * @returns ends it. Files that aren't in the album yet are left out, of which the screen warns
     */
    enter(key: string, client: AlbumClient, read: () => readonly UnsentStep[]): () => void {
      const known = albums.get(key)
      const live = known ?? keep(key, client)
      live.screens += 1
      if (!known) client.open(read())
      live.check()
      return () => {
        live.screens -= 1
        if (live.screens === 0) client.dropUploads()
        live.check()
      }
    },
    /** When the connection may be back. */
    retryAll,
  }
}
