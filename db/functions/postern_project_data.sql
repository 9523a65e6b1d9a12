-- Returns what an event says of a project. The triggers of projects use it, and engine/feed/ for the events that
-- say how far a project is.
CREATE OR REPLACE FUNCTION postern_project_data(p sending_projects) RETURNS jsonb LANGUAGE sql STABLE AS $$
SELECT jsonb_build_object('uuid', p.id, 'name', p.name, 'status', p.status,
      'statusReason', p.status_reason, 'channel', p.channel, 'accountId', p.account_id,
      'startAt', postern_utc(p.start_at), 'startedAt', postern_utc(p.started_at),
        'finishedAt', postern_utc(p.finished_at),
      'repeatableUuid', p.repeatable_uuid, 'counts', (
        SELECT jsonb_build_object('total', COALESCE(sum(total), 0), 'queued', COALESCE(sum(queued), 0),
          'sending', COALESCE(sum(sending), 0), 'sent', COALESCE(sum(sent), 0),
            'delivered', COALESCE(sum(delivered), 0),
          'read', COALESCE(sum(read), 0), 'failed', COALESCE(sum(failed), 0), 'skipped', COALESCE(sum(skipped), 0),
          'unknown', COALESCE(sum(unknown), 0), 'canceled', COALESCE(sum(canceled), 0),
            'replied', COALESCE(sum(replied), 0), 'bounced', COALESCE(sum(bounced), 0),
            'complained', COALESCE(sum(complained), 0))
        FROM sending_counters WHERE project_id = p.id))
$$;
