/** What S3 calls the version of an object in a bucket that never had versioning. */
export const onlyVersionId = 'null'
