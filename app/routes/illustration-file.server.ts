import { renderScene } from '../../content/illustrations/render.server.ts'
import { isSceneName } from '../../content/illustrations/scenes.ts'
import type { StoredFile } from '../adapters/file-store/port.ts'
import { hasDrawnPicture } from '../features/businesses/queries.server.ts'
import { readOrMake } from '../features/files/commands.server.ts'
import type { ImageVariant } from '../features/files/rules.ts'
import type { Services } from '../services.server.ts'
import { aspectOf, isSiteImage } from './site/site-image.server.ts'

/**
 * Reads an illustration by its address, drawn once and then stored. Only illustrations that a page shows are drawn:
 * others would fill the disk.
 * @returns null for an address that no page shows
 */
export async function readIllustration(
  { db, files }: Pick<Services, 'db' | 'files'>,
  { scene, seed, ratio }: { scene: string; seed: string; ratio?: string | undefined },
  { width, format }: ImageVariant,
): Promise<StoredFile | null> {
  // Pictures of businesses all have one shape, so their addresses don't contain it.
  const aspect = aspectOf(ratio ?? '3x2')
  if (!isSceneName(scene) || !aspect) return null
  const isShown = ratio ? isSiteImage(scene, seed) : await hasDrawnPicture(db, scene, seed)
  if (!isShown) return null
  const key = `illustrations/${scene}/${seed}/${ratio ?? '3x2'}-${width}.${format}`
  return readOrMake(files, key, async () => ({
    bytes: await renderScene({ scene, seed, width, height: Math.round(width / aspect), format }),
    contentType: `image/${format}`,
  }))
}
