import { type CorsRule, ruleFor } from '../../../domain/content/cors/cors-rule.ts'
import type { ZoneCors } from '../../../domain/content/cors/zone-cors.ts'
import { S3Error } from '../s3-error.ts'

/** What pages of other origins may ask, by the rules of each bucket. */
export interface S3Cors {
  /** What a browser asks before such a page may; nobody signs it. Refuses with `AccessForbidden`. */
  preflight(request: Request, bucket: string | undefined): Promise<Response>
  /** Lets such a page read the response, where a rule allows the request. */
  addFields(headers: Headers, request: Request, bucket: string): Promise<void>
}

const variesBy = 'Origin, Access-Control-Request-Headers, Access-Control-Request-Method'
/** More than any browser asks for. */
const maxHeaders = 100

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/cors.html */
export const createS3Cors = ({ of }: Pick<ZoneCors, 'of'>): S3Cors => ({
  async preflight({ headers }, bucket) {
    const origin = headers.get('origin')
    const method = headers.get('access-control-request-method')
    if (origin === null || method === null)
      throw new S3Error(
        'BadRequest',
        'Insufficient information. Origin and Access-Control-Request-Method request headers needed.',
      )
    const rules = bucket === undefined ? [] : await of(bucket)
    if (rules.length === 0) throw forbidden('CORS is not enabled for this bucket.')
    const wanted = headersOf(headers.get('access-control-request-headers') ?? '')
    const rule = ruleFor(rules, { origin, method, headers: wanted })
    if (rule === undefined) throw forbidden('This CORS request is not allowed.')
    const response = new Response(null)
    setFields(response.headers, origin, rule)
    const { maxAgeSeconds } = rule
    if (wanted.length > 0) response.headers.set('Access-Control-Allow-Headers', wanted.join(', '))
    if (maxAgeSeconds !== undefined)
      response.headers.set('Access-Control-Max-Age', String(maxAgeSeconds))
    return response
  },

  async addFields(headers, request, bucket) {
    const origin = request.headers.get('origin') ?? ''
    const rules = await of(bucket)
    const rule = ruleFor(rules, { origin, method: request.method, headers: [] })
    if (rule !== undefined) setFields(headers, origin, rule)
    else if (rules.length > 0) headers.append('Vary', variesBy)
  },
})

function setFields(headers: Headers, origin: string, rule: CorsRule): void {
  const isForAll = rule.allowedOrigins.includes('*')
  headers.set('Access-Control-Allow-Origin', isForAll ? '*' : origin)
  if (!isForAll) headers.set('Access-Control-Allow-Credentials', 'true')
  headers.set('Access-Control-Allow-Methods', rule.allowedMethods.join(', '))
  if (rule.exposedHeaders.length > 0)
    headers.set('Access-Control-Expose-Headers', rule.exposedHeaders.join(', '))
  headers.append('Vary', variesBy)
}

function headersOf(field: string): readonly string[] {
  const names = field.split(',', maxHeaders + 1).map((name) => name.trim().toLowerCase())
  if (names.length > maxHeaders) throw forbidden('This CORS request is not allowed.')
  return names.filter((name) => name !== '')
}

const forbidden = (why: string): S3Error =>
  new S3Error('AccessForbidden', `CORSResponse: ${why}`, {
    elements: { ResourceType: 'BUCKET' },
  })
