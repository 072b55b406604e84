import { entityTagOf } from '../../domain/content/delivered/entity-tag.ts'
import type { Precondition } from '../../domain/content/files.ts'
import { evaluatePreconditions } from '../../http/request/conditional.ts'

/** The request's `If-Match` and `If-None-Match`, to be asked of whatever is stored when it is written. */
export const preconditionOf =
  (request: Request): Precondition =>
  (currentSha256) =>
    evaluatePreconditions(
      request,
      currentSha256 === undefined
        ? undefined
        : { etag: entityTagOf(currentSha256), lastModified: undefined },
    ) === 'proceed'
