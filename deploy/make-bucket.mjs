// Makes the bucket that S3_BUCKET names, unless it is there. Waits for a store that is still starting.
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'

const { S3_BUCKET: Bucket, S3_ENDPOINT: endpoint, S3_REGION: region = 'us-east-1' } = process.env
const credentials = {
  accessKeyId: process.env.S3_ACCESS_KEY_ID,
  secretAccessKey: process.env.S3_SECRET_ACCESS_KEY,
}
const client = new S3Client({ endpoint, region, credentials, forcePathStyle: true })
for (const until = Date.now() + 60_000; ;) {
  try {
    await client.send(new CreateBucketCommand({ Bucket }))
    break
  } catch (error) {
    if (error.name === 'BucketAlreadyOwnedByYou') break
    if (error.$metadata?.httpStatusCode || Date.now() > until) throw error
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}
console.log(`The bucket ${Bucket} is there.`)
