"""Threads in every language: what waits for a thread waits, and does not ask in circles."""

import os

import pytest

from bots.bundle import read_bundle, unpack
from tests.languages.played import need
from workers import languages
from workers.building import listen
from workers.match import Kit
from workers.sandbox.arena import Arena
from workers.sandbox.limits import Limits

CPLUSPLUS = b"""
#include <chrono>
#include <future>
#include <iostream>
#include <mutex>
#include <condition_variable>
#include <thread>
#include <vector>
#include <time.h>
double used() { timespec t; clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t); return t.tv_sec + t.tv_nsec / 1e9; }
void work() { while (used() < 0.1) {} }
struct Slow { Slow() { work(); } };
int main() {
    double before = used();
    std::thread(work).join();
    if (used() - before > 0.05) std::cout << "join asks in circles\\n";
    std::promise<int> promise;
    std::future<int> answer = promise.get_future();
    if (answer.wait_for(std::chrono::milliseconds(10)) != std::future_status::timeout) std::cout << "no time-out\\n";
    std::thread later([&] { work(); promise.set_value(7); });
    if (answer.get() != 7 || used() - before > 0.05) std::cout << "get asks in circles\\n";
    later.join();
    std::mutex mutex; std::condition_variable all; int here = 0; std::vector<std::thread> threads;
    for (int n = 0; n < 4; n++) threads.emplace_back([&] {
        static Slow slow;
        std::lock_guard<std::mutex> hold(mutex); here++; all.notify_one();
    });
    { std::unique_lock<std::mutex> hold(mutex); all.wait(hold, [&] { return here == 4; }); }
    for (auto &thread : threads) thread.join();
    std::cout << "done" << std::endl;
}
"""
C = b"""
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
sem_t ready;
void *work(void *to) { for (volatile int n = 0; n < 30000000; n++) {} sem_post(&ready); return to; }
int main(void) {
    pthread_t threads[4]; void *back; int sum = 0;
    sem_init(&ready, 1, 0);  /* shared between processes, as some do for no reason */
    for (long n = 0; n < 4; n++) pthread_create(&threads[n], 0, work, (void *)n);
    for (int n = 0; n < 4; n++) sem_wait(&ready);
    for (int n = 0; n < 4; n++) { pthread_join(threads[n], &back); sum += (long)back; }
    puts(sum == 6 ? "done" : "wrong");
}
"""
JAVASCRIPT = b"""
const { Worker } = require('worker_threads');
const shared = new Int32Array(new SharedArrayBuffer(4));
const source = `const { workerData: shared } = require('worker_threads');
  for (let n = 0; n < 1e7; n++); Atomics.store(shared, 0, 7); Atomics.notify(shared, 0)`;
const worker = new Worker(source, { eval: true, workerData: shared });
worker.on('exit', () => require('zlib').gzip('x', () => console.log(shared[0] === 7 ? 'done' : 'wrong')));
Atomics.wait(shared, 0, 0);
"""
NUMPY = b"""
import threading, numpy
from concurrent.futures import ThreadPoolExecutor
with ThreadPoolExecutor(3) as pool:
    sums = list(pool.map(lambda n: float((numpy.ones((200, 200)) @ numpy.ones((200, 200))).sum()), range(6)))
threading.Thread(target=sums.append, args=(0,)).start()
print("done" if sums[:6] == [8e6] * 6 else sums)
"""
JAVA = b"""
import java.util.concurrent.*;
class Bot {
    public static void main(String[] given) throws Exception {
        var pool = Executors.newFixedThreadPool(3);
        var works = java.util.List.<Callable<Integer>>of(() -> 1, () -> 2, () -> 3);
        var sum = 0;
        for (var part : pool.invokeAll(works)) sum += part.get();
        pool.shutdown();
        System.out.println(sum == 6 && pool.awaitTermination(9, TimeUnit.SECONDS) ? "done" : "wrong");
    }
}
"""
PROGRAMS = {
    "c++": ("bot.cpp", CPLUSPLUS),
    "c": ("bot.c", C),
    "javascript": ("bot.js", JAVASCRIPT),
    "numpy": ("bot.py", NUMPY),
    "java": ("Bot.java", JAVA),
}


@pytest.mark.parametrize("language", PROGRAMS)
def test_threads_wait_for_each_other(kit: Kit, language: str) -> None:
    need(language, kit)
    file, source = PROGRAMS[language]
    assert isinstance(kit.arena, Arena)
    bundle = read_bundle(source, file)
    unpack(bundle, kit.arena.store)
    with languages.spawn(kit.arena, bundle, kit.tools, Limits()) as box:
        os.set_blocking(box.stdin, True)
        output = listen(box, languages.PATIENCE_S)
        assert (output.decode(), box.ended(1)) == ("done\n", True)
