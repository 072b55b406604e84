import { t } from '../../language/text.ts'
import { humanBytes } from '../../parts/format.ts'
import { ConnectionLost } from './upload-world.ts'

let asked: Promise<number | undefined> | undefined

/** The largest file that the service takes, which it tells once; `undefined` where it does not say. */
export function maxFileBytes(): Promise<number | undefined> {
  asked ??= askLimit().catch((error: unknown) => {
    asked = undefined
    throw error
  })
  return asked
}

/** Why a file would be refused for its size. */
export async function sizeFaultOf({ size }: Blob): Promise<string | undefined> {
  const limit = await maxFileBytes()
  if (limit === undefined || size <= limit) return undefined
  return t(
    'The file has {size}; the service takes files of up to {limit}. Nothing of it was sent.',
    { size: humanBytes(size), limit: humanBytes(limit) },
  )
}

/** `Upload-Limit: max-size=…` of Resumable Uploads for HTTP. */
async function askLimit(): Promise<number | undefined> {
  let response: Response
  try {
    response = await fetch('/api/uploads', { method: 'OPTIONS' })
  } catch {
    throw new ConnectionLost()
  }
  const [, bytes] =
    /(?:^|[\s,])max-size=(\d{1,15})/u.exec(response.headers.get('Upload-Limit') ?? '') ?? []
  return bytes === undefined ? undefined : Number(bytes)
}
