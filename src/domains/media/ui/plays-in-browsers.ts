const never = ['avi', 'wmv']
const notAlways = ['mov', '3gp']

/** What to tell the creator of a video that not every learner can play; null where there is nothing to say. */
export function playWarning(filename: string, processesVideos: boolean): string | null {
  if (processesVideos) return null
  const ending = filename.toLowerCase().split('.').at(-1) ?? ''
  const kind = ending.toUpperCase()
  const advice = 'You can keep it; MP4 with H.264 plays everywhere.'
  if (never.includes(ending))
    return `Browsers cannot play ${kind} files, and this server does not convert videos. ${advice}`
  if (notAlways.includes(ending))
    return `Not every browser plays ${kind} files, and this server does not convert videos. ${advice}`
  return null
}
