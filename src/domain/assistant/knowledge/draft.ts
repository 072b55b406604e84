import type { AssetRecord } from '../../../ports/records/asset.ts'
import { encodePath } from '../../content/asset-path.ts'
import type { Passage } from './passage.ts'
import type { PreparedAction } from './prepared-action.ts'

/** Something an answer leans on, and where it is. */
export interface Source {
  readonly title: string
  /** On this service; begins with a slash. */
  readonly url: string
  /** What it says: for the model that writes an answer, not for readers. */
  readonly content: string
  /** Whether it is said by the documentation, and not by whoever stores files. */
  readonly isOurs: boolean
}

export type Confidence = 'high' | 'medium' | 'low'

/** An answer made of what was found, with nothing added. */
export interface Draft {
  /** `[n]` stands for the nth source. */
  readonly text: string
  readonly sources: readonly Source[]
  readonly confidence: Confidence
  /** At most three. */
  readonly followUps: readonly string[]
  /** Whether it must be given as it is: a number, or a URL. */
  readonly isExact: boolean
  /** Whether meaning should have counted and did not. */
  readonly isDegraded: boolean
  /** What whoever asked may confirm; made of the message alone, never of what was found. */
  readonly actions: readonly PreparedAction[]
}

export const draftOf = (draft: Partial<Draft> & Pick<Draft, 'text'>): Draft => ({
  sources: [],
  confidence: 'high',
  followUps: [],
  isExact: false,
  isDegraded: false,
  actions: [],
  ...draft,
})

const urlOf = (path: string): string => `/${encodePath(path)}`

export const assetSource = (asset: AssetRecord): Source => ({
  title: asset.path,
  url: urlOf(asset.path),
  content: `${asset.path}, ${asset.contentType}, ${asset.sizeBytes} bytes`,
  isOurs: false,
})

export const passageSource = ({ title, url, text }: Passage): Source => ({
  title,
  url,
  content: text,
  isOurs: true,
})

/** `a, b and c`. */
export const listed = (items: readonly string[]): string =>
  items.length < 2
    ? items.join('')
    : `${items.slice(0, -1).join(', ')} and ${items[items.length - 1] ?? ''}`
