import { invalid } from '../../domain/errors.ts'
import type { Caller } from '../../http/operation.ts'
import { previewNamed } from '../previewed.ts'

/** The preview that an upload is for. Who has a grant alone has it for what is live. */
export function previewOfUpload(
  request: Request,
  { grantedPath }: Pick<Caller, 'grantedPath'>,
): string | undefined {
  const name = previewNamed(request)
  if (name !== undefined && grantedPath !== undefined)
    throw invalid('preview', 'must not be named with an upload grant')
  return name
}
