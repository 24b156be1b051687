import { ArrowUp } from 'lucide-react'
import { Button } from '../../../ui/button.tsx'

type NewPostsButtonProps = { count: number; busy: boolean; onShow: () => void }

/** Posts that came meanwhile: they wait above what is read, without taking any room there. */
export function NewPostsButton({ count, busy, onShow }: NewPostsButtonProps) {
  const label = count === 1 ? '1 new post' : `${count.toLocaleString('en')} new posts`
  return (
    <div className="pointer-events-none sticky top-24 z-10 h-0">
      <p aria-live="polite" className="sr-only">
        {count > 0 && label}
      </p>
      {count > 0 && (
        <div className="absolute inset-x-0 -top-5 flex justify-center">
          <Button
            size="sm"
            busy={busy}
            onClick={onShow}
            className="pointer-events-auto rounded-full shadow-raised"
          >
            <ArrowUp size={16} aria-hidden />
            {label}
          </Button>
        </div>
      )}
    </div>
  )
}
