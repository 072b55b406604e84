/*
 * Many connections that do nothing but hear the feed, at hardly any cost: so what is measured is the
 * service. Arguments: port, count, since, token. Writes `ready` once every connection has had its first
 * event, then for each number of the feed, once all have heard it, a line
 * `<seq> <first sent> <last sent> <median heard> <last heard>`: when, in microseconds since 1970. What was
 * sent bears the time at which the kernel took it: on the loopback device that is when the service wrote
 * it. What was heard has been read here.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define MAX_CONNECTIONS 8192
#define MAX_EVENTS 512

static char rest[MAX_CONNECTIONS][64];
static int rest_length[MAX_CONNECTIONS];
static char has_begun[MAX_CONNECTIONS];
static long long sent[MAX_CONNECTIONS], times[MAX_CONNECTIONS];
static int count, begun, heard;
static long current;

static long long now_microseconds(void) {
  struct timespec at;
  clock_gettime(CLOCK_REALTIME, &at);
  return at.tv_sec * 1000000LL + at.tv_nsec / 1000;
}

static int by_time(const void *one, const void *other) {
  long long difference = *(const long long *)one - *(const long long *)other;
  return difference < 0 ? -1 : difference > 0;
}

static void say_heard(void) {
  qsort(times, count, sizeof times[0], by_time);
  qsort(sent, count, sizeof sent[0], by_time);
  printf("%ld %lld %lld %lld %lld\n", current, sent[0], sent[count - 1], times[count / 2],
         times[count - 1]);
  fflush(stdout);
}

static void note(int connection, long seq, long long sent_at, long long at) {
  if (!has_begun[connection]) {
    has_begun[connection] = 1;
    if (++begun == count) {
      printf("ready\n");
      fflush(stdout);
    }
    return;
  }
  if (seq != current) {
    current = seq;
    heard = 0;
  }
  sent[heard] = sent_at;
  times[heard++] = at;
  if (heard == count) say_heard();
}

/* An event begins with `id: <seq>.`; it may be cut anywhere, so the end of each piece is kept. */
static void read_events(int connection, int socket) {
  char buffer[65536 + 64];
  int kept = rest_length[connection];
  memcpy(buffer, rest[connection], kept);
  char control[256];
  struct iovec piece = {.iov_base = buffer + kept, .iov_len = 65536};
  struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1, .msg_control = control,
                           .msg_controllen = sizeof control};
  ssize_t length = recvmsg(socket, &message, 0);
  if (length <= 0) {
    if (length < 0 && errno == EAGAIN) return;
    fprintf(stderr, "a connection was cut off\n");
    exit(1);
  }
  long long at = now_microseconds(), sent_at = at;
  for (struct cmsghdr *part = CMSG_FIRSTHDR(&message); part; part = CMSG_NXTHDR(&message, part))
    if (part->cmsg_level == SOL_SOCKET && part->cmsg_type == SCM_TIMESTAMPNS) {
      struct timespec *stamp = (struct timespec *)CMSG_DATA(part);
      sent_at = stamp->tv_sec * 1000000LL + stamp->tv_nsec / 1000;
    }
  length += kept;
  char *from = buffer, *end = buffer + length, *found;
  while ((found = memmem(from, end - from, "id: ", 4)) != NULL) {
    if (memchr(found, '.', end - found) == NULL) break;
    note(connection, strtol(found + 4, NULL, 10), sent_at, at);
    from = found + 4;
  }
  int left = end - from < 24 ? end - from : 24;
  if (found != NULL) left = end - found < 63 ? end - found : 63;
  memcpy(rest[connection], end - left, left);
  rest_length[connection] = left;
}

int main(int argc, char **argv) {
  if (argc != 5) return 2;
  int port = atoi(argv[1]);
  count = atoi(argv[2]);
  if (count < 1 || count > MAX_CONNECTIONS) return 2;
  char request[2048];
  int request_length = snprintf(request, sizeof request,
      "GET /api/edges/feed?since=%s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nAuthorization: Bearer %s\r\n\r\n",
      argv[3], port, argv[4]);
  int epoll = epoll_create1(0);
  static int sockets[MAX_CONNECTIONS];
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
  inet_pton(AF_INET, "127.0.0.1", &address.sin_addr);
  for (int connection = 0; connection < count; connection++) {
    int opened = socket(AF_INET, SOCK_STREAM, 0);
    if (opened < 0 || connect(opened, (struct sockaddr *)&address, sizeof address) < 0) {
      perror("connect");
      return 1;
    }
    if (write(opened, request, request_length) != request_length) return 1;
    int on = 1;
    setsockopt(opened, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on);
    sockets[connection] = opened;
    struct epoll_event wanted = {.events = EPOLLIN, .data.u32 = connection};
    epoll_ctl(epoll, EPOLL_CTL_ADD, opened, &wanted);
  }
  for (;;) {
    struct epoll_event events[MAX_EVENTS];
    int ready = epoll_wait(epoll, events, MAX_EVENTS, -1);
    for (int each = 0; each < ready; each++)
      read_events(events[each].data.u32, sockets[events[each].data.u32]);
  }
}
