import { createHash } from 'node:crypto'

import type { UploadPart } from '../../../ports/content/upload-part-store.ts'
import type { ObjectChecksum } from '../../../ports/records/asset-metadata.ts'
import { checksumKinds } from '../content/content-checksums.ts'
import { S3Error } from '../s3-error.ts'
import { combinedCrc, isCrc } from './combined-crc.ts'

/** How the checksum of an object that comes in parts is made. */
export type ChecksumPlan = Pick<ObjectChecksum, 'algorithm' | 'type'>

type Algorithm = ObjectChecksum['algorithm']

/**
 * What `x-amz-checksum-algorithm` and `x-amz-checksum-type` say when an upload begins. Which type goes with
 * which algorithm: https://docs.aws.amazon.com/AmazonS3/latest/userguide/checking-object-integrity.html
 */
export function checksumPlanOf(headers: Headers): ChecksumPlan | undefined {
  const name = headers.get('x-amz-checksum-algorithm')?.toUpperCase()
  const type = headers.get('x-amz-checksum-type')?.toUpperCase()
  if (name !== undefined) return planOf(name, type)
  if (type === undefined) return undefined
  throw new S3Error(
    'InvalidRequest',
    'The x-amz-checksum-type header can only be used with the x-amz-checksum-algorithm header.',
  )
}

function planOf(name: string, type: string | undefined): ChecksumPlan {
  const algorithm = (Object.keys(checksumKinds) as Algorithm[]).find((each) => each === name)
  if (algorithm === undefined)
    throw new S3Error(
      'InvalidRequest',
      'Checksum algorithm provided is unsupported. Please try again with any of the valid types: [CRC32, CRC32C, CRC64NVME, SHA1, SHA256]',
    )
  if (type !== undefined && type !== 'FULL_OBJECT' && type !== 'COMPOSITE')
    throw new S3Error('InvalidRequest', 'Value for x-amz-checksum-type header is invalid.')
  const plan = { algorithm, type: type ?? usualType(algorithm) }
  if (plan.type === 'FULL_OBJECT' ? !isCrc(algorithm) : algorithm === 'CRC64NVME')
    throw new S3Error(
      'InvalidRequest',
      `The ${plan.type} checksum type cannot be used with the ${algorithm.toLowerCase()} checksum algorithm.`,
    )
  return plan
}

const usualType = (algorithm: Algorithm): ObjectChecksum['type'] =>
  algorithm === 'CRC64NVME' ? 'FULL_OBJECT' : 'COMPOSITE'

/** `undefined` where not each part has one of the algorithm. */
export function wholeChecksum(
  plan: ChecksumPlan,
  parts: readonly UploadPart[],
): ObjectChecksum | undefined {
  const summed = parts.flatMap(({ sizeBytes, checksum }) =>
    checksum?.algorithm === plan.algorithm
      ? [{ sizeBytes, crc: Buffer.from(checksum.value, 'base64') }]
      : [],
  )
  if (summed.length < parts.length) return undefined
  return { ...plan, value: valueOf(plan, summed) }
}

interface Summed {
  readonly sizeBytes: number
  readonly crc: Buffer
}

function valueOf({ algorithm, type }: ChecksumPlan, summed: readonly Summed[]): string {
  if (type === 'FULL_OBJECT' && isCrc(algorithm))
    return Buffer.from(combinedCrc(algorithm, summed)).toString('base64')
  const hash = checksumKinds[algorithm].open()
  for (const { crc } of summed) hash.update(crc)
  return `${Buffer.from(hash.digest()).toString('base64')}-${summed.length}`
}

/** Without its quotes: the MD5 of the MD5s of the parts, and how many there are. What is no hex is no part's. */
export function multipartEtag(md5s: readonly string[]): string {
  const hash = createHash('md5')
  for (const md5 of md5s) hash.update(Buffer.from(md5, 'hex'))
  return `${hash.digest('hex')}-${md5s.length}`
}
