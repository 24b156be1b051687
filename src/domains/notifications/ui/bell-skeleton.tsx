import { Loading, Skeleton } from '../../../ui/skeleton.tsx'

/** What the list will look like. */
export function BellSkeleton() {
  return (
    <Loading label="Loading notifications…" className="grid gap-6 p-5">
      <Skeleton className="h-6 w-36" />
      {['w-2/5', 'w-1/2', 'w-1/3'].map((width) => (
        <div key={width} className="grid gap-2">
          <Skeleton className={width} />
          <Skeleton className="w-full" />
        </div>
      ))}
    </Loading>
  )
}
