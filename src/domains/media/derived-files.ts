// Everything that Thunder makes out of an uploaded video lies in one folder, so that it goes
// with the video in one call.
export const derivedFolder = (mediaId: string) => `videos/${mediaId}`

export const derivedKey = (mediaId: string, name: string) => `${derivedFolder(mediaId)}/${name}`
