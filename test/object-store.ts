// The object store that `npm run prove:storage` starts; without it files are stored on the disk.
import { BucketAlreadyOwnedByYou, CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import type { ObjectStore } from '../src/server/config.ts'

type Variables = Record<
  'S3_ENDPOINT' | 'S3_REGION' | 'S3_ACCESS_KEY_ID' | 'S3_SECRET_ACCESS_KEY',
  string
>

const given = process.env.TEST_OBJECT_STORE
const variables = given ? (JSON.parse(given) as Variables) : null

export const hasObjectStore = variables !== null

/** Makes a bucket, unless it is there, and answers how to reach it. */
export async function bucketCalled(bucket: string): Promise<ObjectStore> {
  if (!variables) throw new Error('there is no object store here')
  const store = {
    endpoint: variables.S3_ENDPOINT,
    bucket,
    region: variables.S3_REGION,
    accessKeyId: variables.S3_ACCESS_KEY_ID,
    secretAccessKey: variables.S3_SECRET_ACCESS_KEY,
    pathStyle: true,
  }
  const { endpoint, region, ...credentials } = store
  const client = new S3Client({ endpoint, region, credentials, forcePathStyle: true })
  await client.send(new CreateBucketCommand({ Bucket: bucket })).catch((error: unknown) => {
    if (!(error instanceof BucketAlreadyOwnedByYou)) throw error
  })
  client.destroy()
  return store
}

/** The configuration of an app that stores its files in the bucket; none without an object store. */
export async function objectStoreVariables(bucket: string): Promise<Record<string, string>> {
  if (!variables) return {}
  await bucketCalled(bucket)
  return { ...variables, S3_BUCKET: bucket }
}
