import {
  type CorsMethod,
  corsMethods,
  type CorsRule,
} from '../../../domain/content/cors/cors-rule.ts'
import type { ZoneCors } from '../../../domain/content/cors/zone-cors.ts'
import { asRefusal } from '../../../domain/errors.ts'
import { requireBucket } from '../buckets/require-bucket.ts'
import { S3Error } from '../s3-error.ts'
import type { S3Operations, S3Request } from '../s3-request.ts'
import { elementsOf, readXml, textIn, type XmlElement } from '../xml/read-xml.ts'
import { xmlResponse } from '../xml/xml-response.ts'

export interface BucketCorsDependencies {
  readonly cors: ZoneCors
  readonly zoneExists: (name: string) => boolean
}

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutBucketCors.html and its like. */
export const bucketCors: S3Operations<BucketCorsDependencies> = (dependencies) => [
  {
    name: 'GetBucketCors',
    method: 'GET',
    target: 'bucket',
    query: ['cors'],
    scope: 'zones:write',
    orScope: 'storage:read',
    handle: (asked) => getCors(asked, dependencies),
  },
  {
    name: 'PutBucketCors',
    method: 'PUT',
    target: 'bucket',
    query: ['cors'],
    scope: 'zones:write',
    handle: (asked) => putCors(asked, dependencies),
  },
  {
    name: 'DeleteBucketCors',
    method: 'DELETE',
    target: 'bucket',
    query: ['cors'],
    scope: 'zones:write',
    async handle(asked) {
      await dependencies.cors.set(requireBucket(asked, dependencies), [], asked.caller.actor)
      return new Response(null, { status: 204 })
    },
  },
]

async function getCors(asked: S3Request, { cors, zoneExists }: BucketCorsDependencies) {
  const bucket = requireBucket(asked, { zoneExists })
  const rules = await cors.of(bucket)
  if (rules.length === 0)
    throw new S3Error('NoSuchCORSConfiguration', 'The CORS configuration does not exist', {
      elements: { BucketName: bucket },
    })
  return xmlResponse('CORSConfiguration', {
    CORSRule: rules.map((rule) => ({
      ID: rule.id,
      AllowedOrigin: rule.allowedOrigins,
      AllowedMethod: rule.allowedMethods,
      AllowedHeader: rule.allowedHeaders,
      ExposeHeader: rule.exposedHeaders,
      MaxAgeSeconds: rule.maxAgeSeconds,
    })),
  })
}

async function putCors(asked: S3Request, { cors, zoneExists }: BucketCorsDependencies) {
  const bucket = requireBucket(asked, { zoneExists })
  const configuration = await readXml(asked.content, 'CORSConfiguration')
  const rules = elementsOf(configuration, 'CORSRule').map(ruleOf)
  if (rules.length === 0) throw malformed('there must be a CORSRule')
  try {
    await cors.set(bucket, rules, asked.caller.actor)
  } catch (thrown) {
    const refusal = asRefusal(thrown)
    throw refusal?.code === 'InvalidParameter'
      ? new S3Error('InvalidRequest', refusal.message, { cause: thrown })
      : thrown
  }
  return new Response(null)
}

function ruleOf(element: XmlElement): CorsRule {
  const texts = (name: string) => elementsOf(element, name).map(({ text }) => text.trim())
  const [id, maxAge] = [textIn(element, 'ID'), textIn(element, 'MaxAgeSeconds')?.trim()]
  if (maxAge !== undefined && !/^\d{1,10}$/u.test(maxAge))
    throw malformed('MaxAgeSeconds must be a number')
  return {
    ...(id !== undefined && { id }),
    allowedOrigins: texts('AllowedOrigin'),
    allowedMethods: texts('AllowedMethod').map(methodOf),
    allowedHeaders: texts('AllowedHeader'),
    exposedHeaders: texts('ExposeHeader'),
    ...(maxAge !== undefined && { maxAgeSeconds: Number(maxAge) }),
  }
}

function methodOf(text: string): CorsMethod {
  const method = corsMethods.find((each) => each === text)
  if (method !== undefined) return method
  throw new S3Error(
    'InvalidRequest',
    `Found unsupported HTTP method in CORS config. Unsupported method is ${text.slice(0, 40)}`,
  )
}

const malformed = (why: string): S3Error =>
  new S3Error(
    'MalformedXML',
    `The XML you provided was not well-formed or did not validate against our published schema: ${why}.`,
  )
