-- Who has a task of the operators' list 'Do first', and their note (decision 90). The list itself is a query. A mark
-- names its task by kind and id and is forgotten 30 days after its last change.
create table task_marks (
  task text primary key,
  -- Null while nobody has it.
  holder_user_id text,
  holder_email text,
  note text not null default '',
  noted_by_email text,
  changed_at timestamptz not null,
  check ((holder_user_id is null) = (holder_email is null)),
  check ((note = '') = (noted_by_email is null))
);

-- Refunds that came back and nobody has settled: few, among all that were made.
create index payment_actions_came_back on payment_actions (done_at)
  where kind = 'refund' and state = 'done' and provider_status in ('failed', 'canceled') and resolution is null;

-- Entries of the operators' log about a task.
alter table operator_log
  drop constraint operator_log_subject_kind_check,
  add constraint operator_log_subject_kind_check
    check (subject_kind in ('payment', 'refund', 'review', 'account', 'listing', 'comparison', 'rate', 'proof', 'dispute',
      'conversation', 'list', 'task'));
