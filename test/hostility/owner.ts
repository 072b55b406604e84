import { textsIn } from '../support/xml-texts.ts'
import type { Random } from '../support/random.ts'
import type { GeneratedRequest } from './generated-requests.ts'
import type { OwnerPlace } from './owner-place.ts'
import { createLedgeredFiles, type LedgeredFiles, type Views } from './ledgered-files.ts'
import { createObjectOwner } from './object-owner.ts'
import type { Sendable } from './s3-signing.ts'
import { createUploadOwner } from './upload-owner.ts'

/** Asks for its own files by S3 and tus, rightly and nearly so, and holds what is answered against its ledger. */
export interface Owner {
  /** `undefined` where every file is being asked for. */
  generate(random: Random): GeneratedRequest | undefined
  /** What is otherwise than it was acknowledged. Nothing may be asked meanwhile. */
  compare(): Promise<readonly string[]>
}

export function createOwner(place: OwnerPlace): Owner {
  const files: LedgeredFiles = createLedgeredFiles(place.directory)
  const objects = createObjectOwner(place, files)
  const uploads = createUploadOwner(place, files)
  const views = viewsOf(place, objects.list)
  return {
    generate: (random) => (random.next() < 0.6 ? objects : uploads).generate(random),
    compare: async () => await files.compare(views),
  }
}

function viewsOf(
  { caller, ask, zone, directory }: OwnerPlace,
  list: () => Sendable & { readonly method: string },
): Views {
  const read = async (target: string, headers: Readonly<Record<string, string>>) => {
    const response = await ask({ method: 'GET', target: encodeURI(target), headers })
    const bytes = await response.bytes()
    if (response.status === 404) return undefined
    if (response.status === 200) return bytes
    throw new Error(`${target} was answered ${response.status}`)
  }
  return {
    stored: (path) => read(`/api/storage/${zone}/v1/${path}`, caller.headers),
    delivered: (path) => read(`/${zone}/v1/${path}`, {}),
    async listed() {
      const response = await ask(list())
      const text = await response.text()
      if (response.status !== 200) throw new Error(`the listing was answered ${text}`)
      const sizes = textsIn(text, 'Size').map(Number)
      const keys = textsIn(text, 'Key').filter((key) => key.startsWith(directory))
      return new Map(keys.map((key, index) => [key, sizes[index] ?? Number.NaN]))
    },
  }
}
