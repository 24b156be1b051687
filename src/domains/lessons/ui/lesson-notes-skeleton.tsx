import { Loading, Skeleton } from '../../../ui/skeleton.tsx'

/** As high as the field for a new note. */
export function NotesSkeleton() {
  return (
    <Loading label="Loading your notes…" className="grid gap-3">
      <Skeleton className="w-24" />
      <Skeleton className="h-24" />
      <Skeleton className="h-9 w-28 justify-self-end" />
    </Loading>
  )
}
