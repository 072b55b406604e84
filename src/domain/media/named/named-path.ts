import { transformParameters } from '../recipe/transform-parameters.ts'
import { transformName } from './parse-transforms.ts'

/** `<asset>/<name>.<format>`: an asset as a transform that has a name makes it. */
export interface NamedPath {
  /** With the version in front of it, where there is one. */
  readonly asset: string
  readonly name: string
  readonly format: string
}

/** Reads the path of a URL, decoded and without its first slash; `undefined` of one that is no such path. */
export function readNamedPath(path: string): NamedPath | undefined {
  const slash = path.lastIndexOf('/')
  const dot = path.indexOf('.', slash)
  if (slash <= 0 || dot < 0) return undefined
  const [asset, name, format] = [
    path.slice(0, slash),
    path.slice(slash + 1, dot),
    path.slice(dot + 1),
  ]
  const isRead = transformName.test(name) && isFormat(format) && asset.includes('.')
  return isRead ? { asset, name, format } : undefined
}

const isFormat = (text: string): boolean =>
  text !== 'auto' && transformParameters.format.schema.safeParse(text).success
