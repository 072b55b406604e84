import type { FuzzTarget } from './fuzz-target.ts'
import { lfs } from './targets/lfs.ts'
import { mp4 } from './targets/mp4.ts'
import { multipart } from './targets/multipart.ts'
import { packs } from './targets/packs.ts'
import { playlists } from './targets/playlists.ts'
import { s3Signatures } from './targets/s3-signatures.ts'
import { signedUrls } from './targets/signed-urls.ts'
import { svg } from './targets/svg.ts'
import { tus } from './targets/tus.ts'
import { xml } from './targets/xml.ts'

export const fuzzTargets: readonly FuzzTarget[] = [
  svg,
  mp4,
  playlists,
  packs,
  lfs,
  multipart,
  tus,
  xml,
  s3Signatures,
  signedUrls,
]
