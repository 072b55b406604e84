import type { Captures } from '../match-tokens.ts'
import { substitute } from '../pattern.ts'
import { hasHost } from '../rule-url.ts'

export interface TargetContext {
  readonly origin: string
  /** With its `?`, or `''`. */
  readonly query: string
}

/**
 * The Location for a target: its own query, or else the request's, before the fragment. On the same
 * origin it is sent without the origin. `undefined` where captures made it no URL.
 */
export function locationFor(
  target: string,
  captures: Captures,
  { origin, query }: TargetContext,
): string | undefined {
  const url = resolve(target, captures, origin)
  if (url === undefined) return undefined
  const rest = `${url.search === '' ? query : url.search}${url.hash}`
  return url.origin === new URL(origin).origin
    ? `${withSingleSlashes(url.pathname)}${rest}`
    : `${url.origin}${url.pathname}${rest}`
}

/** The path, still percent-encoded, at which the asset of a rewrite lies. */
export const rewrittenPath = (
  target: string,
  captures: Captures,
  { origin }: TargetContext,
): string | undefined => resolve(target, captures, origin)?.pathname

function resolve(target: string, captures: Captures, origin: string): URL | undefined {
  const filled = substitute(target, captures)
  return URL.parse(hasHost(target) ? filled : withSingleSlashes(filled), origin) ?? undefined
}

/** `//host` and `/\host` would be other hosts: a capture must not be able to make them. */
function withSingleSlashes(url: string): string {
  const end = url.search(/[?#]/u)
  const path = end < 0 ? url : url.slice(0, end)
  return path.replaceAll(/[/\\]+/gu, '/') + (end < 0 ? '' : url.slice(end))
}
