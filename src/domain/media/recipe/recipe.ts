import { z } from 'zod'

import { invalid, type ServiceError } from '../../errors.ts'
import type { TransformParameter } from './parameters/parameter.ts'
import { type ClientHints, hintedDensity, hintedWidth } from './client-hints.ts'
import { inDevicePixels } from './device-pixels.ts'
import { maxSide } from './parameters/size-parameters.ts'
import { transformParameters } from './transform-parameters.ts'

type Parameters = typeof transformParameters
type Schemas = { readonly [Member in keyof Parameters]: Parameters[Member]['schema'] }

const members = Object.entries<TransformParameter>(transformParameters)

const recipeSchema = z
  .object(Object.fromEntries(members.map(([member, { schema }]) => [member, schema])) as Schemas)
  .transform(
    ({ dpr: named, format, overlay, overlay2, overlay3, text, text2, text3, ...rest }, context) => {
      const dpr = named === 'auto' ? 1 : named
      const devicePixels = (name: 'w' | 'h', length: number | undefined): number | undefined => {
        if (length === undefined) return undefined
        const pixels = Math.max(1, Math.round(length * dpr * rest.scale))
        if (pixels > maxSide) {
          const factor = rest.scale > 1 ? 'scale' : 'dpr'
          const message = `must leave ${name} × ${factor} at most ${maxSide}`
          context.addIssue({ code: 'custom', path: [factor], message })
        }
        return pixels
      }
      for (const { path, message } of contradictions({ ...rest, format }))
        context.addIssue({ code: 'custom', path: [path], message })
      const laid = {
        overlays: [overlay, overlay2, overlay3].filter((each) => each !== undefined),
        texts: [text, text2, text3].filter((each) => each !== undefined),
      }
      return {
        ...rest,
        ...inDevicePixels({ ...rest, ...laid }, dpr),
        format: format === 'jpg' ? 'jpeg' : format,
        width: rest.width === 'auto' ? undefined : devicePixels('w', rest.width),
        /** Whether what a client says of where the image will be seen decides on it. */
        isWidthHinted: rest.width === 'auto',
        height: devicePixels('h', rest.height),
      } as const
    },
  )

type Read = Pick<
  { readonly [Member in keyof Schemas]: z.output<Schemas[Member]> },
  | 'trim'
  | 'region'
  | 'cut'
  | 'isLossless'
  | 'format'
  | 'aspectRatio'
  | 'width'
  | 'height'
  | 'seconds'
  | 'preview'
>

/** What cannot be asked for at once. */
const contradictions = (read: Read) => exclusions.filter(({ isBroken }) => isBroken(read))

interface Exclusion {
  readonly path: keyof Read
  readonly message: string
  readonly isBroken: (read: Read) => boolean
}

const exclusions: readonly Exclusion[] = [
  {
    path: 'seconds',
    message: 'must not come with preview',
    isBroken: ({ seconds, preview }) => seconds !== undefined && preview !== undefined,
  },
  {
    path: 'trim',
    message: 'must not come with crop',
    isBroken: ({ trim, region }) => trim !== undefined && region !== undefined,
  },
  {
    path: 'cut',
    message: 'must not come with crop or trim',
    isBroken: ({ cut, trim, region }) => cut !== undefined && (trim ?? region) !== undefined,
  },
  {
    path: 'aspectRatio',
    message: 'must not come with both w and h',
    isBroken: ({ aspectRatio, width, height }) =>
      aspectRatio !== undefined && width !== undefined && height !== undefined,
  },
  {
    path: 'isLossless',
    message: 'must be 0 for a jpeg',
    isBroken: ({ isLossless, format }) => isLossless && (format === 'jpeg' || format === 'jpg'),
  },
]

/** What a caller asks for, checked, every default filled in. Lengths are in device pixels. */
export type Recipe = Readonly<z.output<typeof recipeSchema>> & {
  /** Whether what a client says of its device decides on `dpr`. */
  readonly isDensityHinted: boolean
}

const memberByName = new Map(members.map(([member, { name }]) => [name, member]))

/**
 * Reads the parameters of a transform; those that follow the client, by what it says. What is none of
 * them is ignored; what is wrong is refused.
 */
export function parseRecipe(query: URLSearchParams, hints: ClientHints = {}): Recipe {
  const textByMember = textsOf(query)
  const isDensityHinted = textByMember['dpr'] === 'auto'
  if (isDensityHinted) textByMember['dpr'] = String(hintedDensity(hints))
  const { success, data, error } = recipeSchema.safeParse(textByMember)
  if (!success) throw refusalOf(error)
  if (!data.isWidthHinted) return { ...data, isDensityHinted }
  return { ...data, isDensityHinted, width: hintedWidth(hints) }
}

function textsOf(query: URLSearchParams): Record<string, string> {
  const textByMember: Record<string, string> = {}
  for (const [name, text] of query) {
    const member = memberByName.get(name)
    if (member === undefined) continue
    if (member in textByMember) throw invalid(name, 'must be given at most once')
    textByMember[member] = text
  }
  return textByMember
}

/** The first fault, in the caller's own spelling. */
function refusalOf({ issues: [first] }: z.ZodError): ServiceError {
  const [, parameter] = members.find(([member]) => member === first?.path[0]) ?? []
  if (first === undefined || parameter === undefined)
    throw new Error('What is refused is no parameter')
  const { name, range } = parameter
  return invalid(name, first.code === 'custom' ? first.message : `must be ${range}`)
}
