import { Ellipsis, Flag, Link2, Pencil, Pin, PinOff, Trash2 } from 'lucide-react'
import { cn } from '../../../ui/cn.ts'
import { buttonClass } from '../../../ui/button.tsx'
import { Menu, MenuButton, MenuSeparator } from '../../../ui/menu.tsx'
import { toast } from '../../../ui/toast.ts'
import { postPath } from '../rules.ts'
import type { CommunityRights, Post } from '../schema.ts'

export interface PostMenuActions {
  onEdit: (post: Post) => void
  onDelete: (post: Post) => void
  onPin: (post: Post) => void
  onReport: (post: Post) => void
}

type PostMenuProps = PostMenuActions & {
  slug: string
  post: Post
  rights: CommunityRights
  /** Says it where toasts would lie under a dialog. */
  onSaid?: (words: string) => void
}

async function copyLink(slug: string, postId: string, onSaid: PostMenuProps['onSaid']) {
  try {
    await navigator.clipboard.writeText(`${location.origin}${postPath(slug, postId)}`)
    if (onSaid) onSaid('Link copied')
    else void toast.success('Link copied')
  } catch {
    // No clipboard: the browser forbids it, or the site is not served over https.
    const refused = 'Your browser does not let us copy the link.'
    if (onSaid) onSaid(refused)
    else void toast.error(refused)
  }
}

/** What can be done with a post, by this viewer. */
export function PostMenu({ slug, post, rights, onSaid, ...actions }: PostMenuProps) {
  const canEdit = post.isOwn && rights.canPost
  const canDelete = post.isOwn || rights.canModerate
  return (
    <Menu
      label={`Options of the post by ${post.author.name}`}
      trigger={<Ellipsis size={20} aria-hidden />}
      triggerClassName={cn(buttonClass({ variant: 'ghost', size: 'icon-sm' }), 'text-muted')}
      panelClassName="w-52"
    >
      {canEdit && (
        <MenuButton onClick={() => actions.onEdit(post)}>
          <Pencil aria-hidden />
          Edit Post
        </MenuButton>
      )}
      {rights.canManage && (
        <MenuButton onClick={() => actions.onPin(post)}>
          {post.isPinned ? <PinOff aria-hidden /> : <Pin aria-hidden />}
          {post.isPinned ? 'Unpin Post' : 'Pin Post'}
        </MenuButton>
      )}
      <MenuButton onClick={() => void copyLink(slug, post.id, onSaid)}>
        <Link2 aria-hidden />
        Copy Link
      </MenuButton>
      {post.status !== 'hidden' && (
        <MenuButton onClick={() => actions.onReport(post)}>
          <Flag aria-hidden />
          Report Post
        </MenuButton>
      )}
      {canDelete && (
        <>
          <MenuSeparator />
          <MenuButton tone="danger" onClick={() => actions.onDelete(post)}>
            <Trash2 aria-hidden />
            Delete Post
          </MenuButton>
        </>
      )}
    </Menu>
  )
}
