import type { Operations } from '../operations.ts'
import type { Service } from './image-url.ts'

/** What `GET /api/picture` says of an image. */
export type Described = Operations['getPicture']['answer']

/** Asks for all that a page needs of an image. Throws where the service refuses. */
export async function describe(
  path: string,
  { url = '' }: Service,
  more: Readonly<Record<string, string>> = {},
): Promise<Described> {
  const query = new URLSearchParams({ path: path.replace(/^\//u, ''), ...more })
  const response = await fetch(`${url.replace(/\/{1,8}$/u, '')}/api/picture?${query.toString()}`)
  if (!response.ok) throw new Error(`${path}: HTTP ${response.status} from ${response.url}`)
  return (await response.json()) as Described
}
