// The few S3 requests that Thunder makes, in its own words.
import type { Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  ListPartsCommand,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3'
import type { ObjectStore } from './config.ts'
import { StoreFailure } from './storage.ts'

export interface Part {
  number: number
  etag: string
  size: number
}

/** Milliseconds for an answer to a question, while a person waits. */
const patience = 15_000

/** Where bytes are moved: a part of an upload may take a while on a narrow line. */
const patienceForBytes = 120_000

/** A server may copy no more than this in one request. */
const mostPerCopy = 5 * 1024 ** 3

const isMissing = (error: unknown) =>
  error instanceof S3ServiceException &&
  ['NotFound', 'NoSuchKey', 'NoSuchUpload'].includes(error.name)

function failureOf(error: unknown): StoreFailure {
  const answered = error instanceof S3ServiceException ? error : null
  const status = answered?.$metadata.httpStatusCode
  const isFull = status === 507 || /Quota|InsufficientStorage/.test(answered?.name ?? '')
  const said = answered ? `status ${status}, ${answered.name}` : String(error)
  return new StoreFailure(`the object store failed (${said})`, { isFull, cause: error })
}

export type Bucket = ReturnType<typeof openBucket>

export function openBucket(store: ObjectStore, copyAtOnce = mostPerCopy) {
  const { bucket: Bucket } = store
  const client = new S3Client({
    endpoint: store.endpoint,
    region: store.region,
    credentials: { accessKeyId: store.accessKeyId, secretAccessKey: store.secretAccessKey },
    forcePathStyle: store.pathStyle,
    // Else bodies come in a form, and with headers, that many servers do not know.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: 5000,
      // A film that somebody watches keeps its connection; nobody else may wait for that.
      httpAgent: { keepAlive: true, maxSockets: Infinity },
      httpsAgent: { keepAlive: true, maxSockets: Infinity },
    },
  })

  /** Null where what was asked for is not there. */
  async function orMissing<Answer>(asked: Promise<Answer>): Promise<Answer | null> {
    try {
      return await asked
    } catch (error) {
      if (isMissing(error)) return null
      throw failureOf(error)
    }
  }

  async function must<Answer>(asked: Promise<Answer>): Promise<Answer> {
    try {
      return await asked
    } catch (error) {
      throw failureOf(error)
    }
  }

  const soon = () => ({ abortSignal: AbortSignal.timeout(patience) })
  const later = () => ({ abortSignal: AbortSignal.timeout(patienceForBytes) })
  const source = (key: string) => `${Bucket}/${key.split('/').map(encodeURIComponent).join('/')}`

  async function size(key: string): Promise<number | null> {
    const found = await orMissing(client.send(new HeadObjectCommand({ Bucket, Key: key }), soon()))
    return found ? (found.ContentLength ?? 0) : null
  }

  async function begin(key: string): Promise<string> {
    const { UploadId } = await must(
      client.send(new CreateMultipartUploadCommand({ Bucket, Key: key }), soon()),
    )
    return UploadId!
  }

  /** False when the upload is not there, or not any more. */
  async function complete(key: string, uploadId: string, parts: Part[]): Promise<boolean> {
    const Parts = parts.map(({ number, etag }) => ({ PartNumber: number, ETag: etag }))
    const command = new CompleteMultipartUploadCommand({
      Bucket,
      Key: key,
      UploadId: uploadId,
      MultipartUpload: { Parts },
    })
    return (await orMissing(client.send(command, later()))) !== null
  }

  const abort = (key: string, uploadId: string) =>
    orMissing(
      client.send(
        new AbortMultipartUploadCommand({ Bucket, Key: key, UploadId: uploadId }),
        soon(),
      ),
    )

  async function copyInParts(from: string, to: string, bytes: number): Promise<void> {
    const uploadId = await begin(to)
    try {
      const parts: Part[] = []
      for (let start = 0; start < bytes; start += copyAtOnce) {
        const end = Math.min(start + copyAtOnce, bytes) - 1
        const number = parts.length + 1
        const command = new UploadPartCopyCommand({
          Bucket,
          Key: to,
          UploadId: uploadId,
          PartNumber: number,
          CopySource: source(from),
          CopySourceRange: `bytes=${start}-${end}`,
        })
        const { CopyPartResult } = await must(client.send(command))
        parts.push({ number, etag: CopyPartResult?.ETag ?? '', size: end - start + 1 })
      }
      await complete(to, uploadId, parts)
    } catch (error) {
      await abort(to, uploadId).catch(() => {})
      throw error
    }
  }

  return {
    size,
    begin,
    complete,
    abort,

    /** The status with which the store answers for this bucket; from 400 on it cannot be used as it is. */
    async check(): Promise<number> {
      try {
        await client.send(new HeadBucketCommand({ Bucket }), soon())
        return 200
      } catch (error) {
        const answered = error instanceof S3ServiceException ? error.$metadata : {}
        const { httpStatusCode: status = 500 } = answered
        if (status >= 500) throw failureOf(error)
        return status
      }
    },

    async put(key: string, bytes: Uint8Array): Promise<void> {
      const command = new PutObjectCommand({ Bucket, Key: key, Body: bytes })
      await must(client.send(command, later()))
    },

    async *read(key: string, range: { start: number; end: number } | undefined) {
      const ended = new AbortController()
      const late = setTimeout(() => ended.abort(), patience)
      const command = new GetObjectCommand({
        Bucket,
        Key: key,
        Range: range && `bytes=${range.start}-${range.end}`,
      })
      try {
        const { Body } = await client.send(command, { abortSignal: ended.signal })
        // Once it has begun, it may be as slow as who reads it.
        clearTimeout(late)
        for await (const chunk of Body as Readable) yield chunk as Uint8Array
      } catch (error) {
        throw failureOf(error)
      } finally {
        clearTimeout(late)
        ended.abort()
      }
    },

    async remove(key: string): Promise<void> {
      await orMissing(client.send(new DeleteObjectCommand({ Bucket, Key: key }), soon()))
    },

    async copy(from: string, to: string): Promise<void> {
      const bytes = await size(from)
      if (bytes !== null && bytes > copyAtOnce) return copyInParts(from, to, bytes)
      const command = new CopyObjectCommand({ Bucket, Key: to, CopySource: source(from) })
      await must(client.send(command))
    },

    /** With a delimiter, what it ends is listed once, as a prefix. */
    async *list(Prefix: string, Delimiter?: '/') {
      let ContinuationToken: string | undefined
      do {
        const page = await must(
          client.send(
            new ListObjectsV2Command({ Bucket, Prefix, Delimiter, ContinuationToken }),
            soon(),
          ),
        )
        for (const { Key, LastModified } of page.Contents ?? []) {
          yield { key: Key!, changedAt: LastModified ?? new Date() }
        }
        for (const one of page.CommonPrefixes ?? []) yield { key: one.Prefix!, changedAt: null }
        ContinuationToken = page.IsTruncated ? page.NextContinuationToken : undefined
      } while (ContinuationToken)
    },

    /** Null when the upload is not there, or not any more. */
    async part(key: string, uploadId: string, number: number, Body: Uint8Array) {
      const command = new UploadPartCommand({
        Bucket,
        Key: key,
        UploadId: uploadId,
        PartNumber: number,
        Body,
      })
      const done = await orMissing(client.send(command, later()))
      return done && { number, etag: done.ETag ?? '', size: Body.length }
    },

    /** In their order; null when the upload is not there, or not any more. */
    async parts(key: string, uploadId: string): Promise<Part[] | null> {
      const parts: Part[] = []
      let PartNumberMarker: string | undefined
      do {
        const page = await orMissing(
          client.send(
            new ListPartsCommand({ Bucket, Key: key, UploadId: uploadId, PartNumberMarker }),
            soon(),
          ),
        )
        if (!page) return null
        for (const { PartNumber, ETag, Size } of page.Parts ?? []) {
          parts.push({ number: PartNumber!, etag: ETag!, size: Size ?? 0 })
        }
        PartNumberMarker = page.IsTruncated ? page.NextPartNumberMarker : undefined
      } while (PartNumberMarker)
      return parts.toSorted((one, other) => one.number - other.number)
    },

    close: () => client.destroy(),
  }
}
