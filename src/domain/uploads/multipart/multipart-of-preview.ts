import type { PreviewRecord } from '../../../ports/records/preview.ts'
import type { MultipartUploads } from './multipart-uploads.ts'

/** The uploads that are for a preview; those for what is live, and for a former preview of its name, are not there. */
export function multipartOfPreview(
  multipart: MultipartUploads,
  { name, createdAt }: Pick<PreviewRecord, 'name' | 'createdAt'>,
): MultipartUploads {
  const preview = { name, createdAt }
  return {
    create: (terms, actor) => multipart.create({ ...terms, preview: name }, actor),
    find: (place, actor) => multipart.find({ ...place, preview }, actor),
    putPart: (place, part, actor) => multipart.putPart({ ...place, preview }, part, actor),
    parts: (place, page, actor) => multipart.parts({ ...place, preview }, page, actor),
    list: (page, actor) => multipart.list({ ...page, preview }, actor),
    complete: (place, plan, actor) => multipart.complete({ ...place, preview }, plan, actor),
    abort: (place, actor) => multipart.abort({ ...place, preview }, actor),
  }
}
