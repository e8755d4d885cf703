"""The queue of the benchmark in SimPy: M/M/c/K, first come first served.

python mmck.py SERVERS PLACES OFFERED REQUESTS SEED
prints how many requests were refused and how many seconds the run took.
"""

import random
import sys
import time

import simpy


def request(env, servers, service):
    with servers.request() as slot:
        yield slot
        yield env.timeout(service)


def arrivals(env, servers, places, offered, n_requests, rng, refused):
    for _ in range(n_requests):
        yield env.timeout(rng.expovariate(offered))
        if servers.count + len(servers.queue) < places:
            env.process(request(env, servers, rng.expovariate(1.0)))
        else:
            refused.append(None)


def main():
    n_servers, places, n_requests, seed = (int(sys.argv[n]) for n in (1, 2, 4, 5))
    env = simpy.Environment()
    servers = simpy.Resource(env, capacity=n_servers)
    refused = []
    env.process(arrivals(env, servers, places, float(sys.argv[3]), n_requests, random.Random(seed), refused))
    start = time.perf_counter()
    env.run()
    print(len(refused), time.perf_counter() - start)


main()
