/**
 * Appending a batch of texts: one call is one transaction. docs/decisions has the reasons (`append_v1`).
 *
 * Arguments: the writer and the number of its batch, then one array for each property of the texts. Returns, one after
 * another, arrays of a number for each text: its outcome (OUTCOMES of data/storage/postgres/append-call.ts), id, seq,
 * number, time, and whether the author is a member; after them three numbers for each member who has a direct
 * conversation back on their list: the text's place from 1, the member, and the number in the member's log.
 *
 * 1. The receipt: a batch that was done before returns what it returned then. A call whose outcome is not known is made
 *    again, and stores nothing twice.
 * 2. The rooms' rows are locked, in the order of their ids, so that no two batches wait for each other in a circle. A
 *    lock is held until the commit is durable and visible, so a room's ids, seqs and commits have one order.
 * 3. A new statement takes a new snapshot, which has everything that the locks were waited for. It decides about each
 *    text, numbers the new ones and stores them. No two texts of a batch have the same author, room and cid.
 */
export const APPEND_V1 = `
  CREATE FUNCTION append_v1(
    p_writer UUID, p_batch BIGINT, p_rooms BIGINT[], p_authors BIGINT[], p_cids TEXT[], p_contents TEXT[],
    p_times BIGINT[]
  ) RETURNS BIGINT[] LANGUAGE plpgsql VOLATILE
    SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
  AS $$
  DECLARE
    v_batch BIGINT;
    v_result BIGINT[];
    v_dms BIGINT[];
    v_places BIGINT[];
    v_now BIGINT := (extract(epoch FROM clock_timestamp()) * 1000)::BIGINT;
    v_shown RECORD;
    v_user_seq BIGINT;
  BEGIN
    SELECT batch, result INTO v_batch, v_result FROM writers WHERE id = p_writer FOR UPDATE;
    IF v_batch IS NULL THEN
      RAISE EXCEPTION 'no receipt' USING ERRCODE = 'RF001';
    END IF;
    IF v_batch = p_batch THEN
      UPDATE writers SET touched_at = v_now WHERE id = p_writer;
      RETURN v_result;
    END IF;
    IF v_batch <> p_batch - 1 THEN
      RAISE EXCEPTION 'the last receipt is %, this batch is %', v_batch, p_batch USING ERRCODE = 'RF002';
    END IF;

    PERFORM 1 FROM rooms WHERE id = ANY (p_rooms) ORDER BY id FOR NO KEY UPDATE;

    WITH items AS MATERIALIZED (
      SELECT * FROM unnest(p_rooms, p_authors, p_cids, p_contents, p_times)
        WITH ORDINALITY AS item (room_id, user_id, cid, content, now, place)
    ), decided AS MATERIALIZED (
      SELECT item.place, item.room_id, item.user_id, item.cid, item.content, item.now,
        room.seq AS room_seq, room.number AS room_number, room.last_at, room.kind,
        known.id AS known_id, known.seq AS known_seq, known.number AS known_number, known.created_at AS known_at,
        own.is_in::INT AS is_in,
        CASE
          WHEN room.id IS NULL THEN 3
          WHEN author.id IS NULL THEN 6
          WHEN NOT own.is_in AND (room.kind <> 'public' OR author.role = 'guest') THEN 3
          WHEN known.id IS NOT NULL AND (known.content = item.content OR known.is_changed) THEN 1
          WHEN known.id IS NOT NULL THEN 2
          WHEN room.archived_at IS NOT NULL OR own.is_banned OR own.is_silenced THEN 4
          WHEN room.kind = 'dm' AND room.members = 2 AND EXISTS (
            SELECT 1 FROM members AS other JOIN blocks AS block ON block.user_id = other.user_id
            WHERE other.room_id = room.id AND block.blocked_id = item.user_id AND block.removed = 0
          ) THEN 5
          ELSE 0
        END AS outcome
      FROM items AS item
        LEFT JOIN rooms AS room ON room.id = item.room_id
        LEFT JOIN users AS author ON author.id = item.user_id AND author.suspended_at IS NULL
        LEFT JOIN members AS member ON member.user_id = item.user_id AND member.room_id = item.room_id
        CROSS JOIN LATERAL (
          SELECT
            member.user_id IS NOT NULL AND member.left_at IS NULL AND NOT coalesce(member.banned_until > item.now, false)
              AS is_in,
            coalesce(member.banned_until > item.now, false) AS is_banned,
            coalesce(member.silenced_until > item.now, false) AS is_silenced
        ) AS own
        LEFT JOIN LATERAL (
          SELECT message.id, message.seq, message.number, message.content, message.created_at,
            message.revision > 0 OR message.deleted_at IS NOT NULL AS is_changed
          FROM messages AS message
          WHERE message.room_id = item.room_id AND message.user_id = item.user_id AND message.cid = item.cid
        ) AS known ON true
    ), numbered AS MATERIALIZED (
      SELECT *, CASE WHEN outcome = 0 THEN nextval('message_ids') ELSE known_id END AS id FROM (
        SELECT place, room_id, user_id, cid, content, is_in, kind, outcome, known_id,
          CASE WHEN outcome = 0 THEN room_seq + count(*) FILTER (WHERE outcome = 0) OVER in_room
            ELSE known_seq END AS seq,
          CASE WHEN outcome = 0 THEN room_number + count(*) FILTER (WHERE outcome = 0) OVER in_room
            ELSE known_number END AS number,
          CASE WHEN outcome = 0 THEN greatest(last_at, max(now) FILTER (WHERE outcome = 0) OVER in_room)
            ELSE known_at END AS created_at
        FROM decided
        WINDOW in_room AS (PARTITION BY room_id ORDER BY place ROWS UNBOUNDED PRECEDING)
        ORDER BY place
      ) AS sorted
    ), stored AS (
      INSERT INTO messages (id, room_id, seq, changed_seq, number, user_id, cid, content, created_at)
      SELECT id, room_id, seq, seq, number, user_id, cid, content, created_at FROM numbered WHERE outcome = 0
    ), counted AS (
      UPDATE rooms SET seq = last.seq, number = last.number, last_at = last.created_at
      FROM (
        SELECT room_id, max(seq) AS seq, max(number) AS number, max(created_at) AS created_at
        FROM numbered WHERE outcome = 0 GROUP BY room_id
      ) AS last
      WHERE rooms.id = last.room_id
    )
    SELECT
      array_agg(outcome::BIGINT ORDER BY place) || array_agg(coalesce(id, 0) ORDER BY place)
        || array_agg(coalesce(seq, 0) ORDER BY place) || array_agg(coalesce(number, 0) ORDER BY place)
        || array_agg(coalesce(created_at, 0) ORDER BY place) || array_agg(is_in::BIGINT ORDER BY place),
      array_agg(room_id ORDER BY place) FILTER (WHERE outcome = 0 AND kind = 'dm'),
      array_agg(place ORDER BY place) FILTER (WHERE outcome = 0 AND kind = 'dm')
    INTO v_result, v_dms, v_places FROM numbered;

    IF v_dms IS NOT NULL THEN
      FOR v_shown IN
        SELECT room_id, user_id, v_places[array_position(v_dms, room_id)] AS place FROM members
        WHERE room_id = ANY (v_dms) AND left_at IS NULL AND hidden = 1 ORDER BY user_id, room_id
      LOOP
        INSERT INTO user_logs (user_id, seq) VALUES (v_shown.user_id, 1)
          ON CONFLICT (user_id) DO UPDATE SET seq = user_logs.seq + 1 RETURNING seq INTO v_user_seq;
        UPDATE members SET hidden = 0, user_seq = v_user_seq
          WHERE user_id = v_shown.user_id AND room_id = v_shown.room_id;
        v_result := v_result || ARRAY[v_shown.place, v_shown.user_id, v_user_seq];
      END LOOP;
    END IF;

    UPDATE writers SET batch = p_batch, result = v_result, touched_at = v_now WHERE id = p_writer;
    RETURN v_result;
  END $$;
`;
