#!/usr/bin/env python3
"""Writes signatures.json: addresses and signatures of requests as other implementations make them.

    pip install botocore==1.44.8 azure-storage-blob==12.31.1
    python3 signatures.py > signatures.json

Addresses come from botocore's S3 client, Signature Version 4 from botocore's signer, Shared Key
from azure-storage-blob's policy. Nothing is sent. The keys are made up.
"""
import base64
import datetime
import json
import logging
from unittest import mock

import botocore.auth
import botocore.session
from azure.core.pipeline import PipelineContext, PipelineRequest
from azure.core.rest import HttpRequest
from azure.storage.blob._shared.authentication import SharedKeyCredentialPolicy
from botocore.awsrequest import AWSRequest
from botocore.config import Config
from botocore.credentials import Credentials

NOW = datetime.datetime(2026, 3, 4, 5, 6, 7, tzinfo=datetime.timezone.utc)
ACCESS, SECRET = "AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"
TOKEN = "FwoGZXIvYXdzEXAMPLE//token+with=odd/characters=="


class Signer(botocore.auth.S3SigV4Auth):
    """Signs no payload over TLS when there is one, as this project's client does."""

    def payload(self, request):
        if request.url.startswith("https://") and request.body:
            return "UNSIGNED-PAYLOAD"
        return super().payload(request)


def address(case):
    """The URL that botocore's client would ask."""
    style = "path" if case["path_style"] else "virtual"
    client = botocore.session.Session().create_client(
        "s3", region_name=case["region"], endpoint_url=case["endpoint"] or None,
        aws_access_key_id=ACCESS, aws_secret_access_key=SECRET,
        config=Config(signature_version="s3v4", s3={"addressing_style": style},
                      request_checksum_calculation="when_required",
                      response_checksum_validation="when_required"))
    seen = []

    def capture(request, **_):
        seen.append(request.url)
        raise InterruptedError

    client.meta.events.register("before-send.s3", capture)
    query = dict(case["query"])
    try:
        if case["key"] and case["method"] == "PUT":
            client.put_object(Bucket=case["bucket"], Key=case["key"], Body=case["body"].encode())
        elif case["key"]:
            client.get_object(Bucket=case["bucket"], Key=case["key"])
        else:
            names = {"prefix": "Prefix", "delimiter": "Delimiter", "start-after": "StartAfter"}
            client.list_objects_v2(Bucket=case["bucket"],
                                   **{names[k]: v for k, v in query.items() if k in names})
    except InterruptedError:
        pass
    return seen[0]


def s3_case(name, endpoint, region, path_style, bucket="bucket-1", key="", query=(), method="GET",
            body="", token="", headers=()):
    case = dict(name=name, endpoint=endpoint, region=region, path_style=path_style, bucket=bucket,
                key=key, query=[list(q) for q in query], method=method, body=body, token=token,
                headers=[list(h) for h in headers])
    url = address(case)
    url = url.split("?")[0]
    if query:
        from botocore.utils import percent_encode_sequence
        url += "?" + percent_encode_sequence(sorted(query))
    request = AWSRequest(method=method, url=url, data=body.encode(), headers=dict(headers))
    frozen = mock.Mock(wraps=datetime.datetime)
    with mock.patch("botocore.auth.get_current_datetime", return_value=NOW, create=True), \
            mock.patch("botocore.compat.get_current_datetime", return_value=NOW, create=True):
        Signer(Credentials(ACCESS, SECRET, token or None), "s3", region).add_auth(request)
    assert request.headers["X-Amz-Date"] == NOW.strftime("%Y%m%dT%H%M%SZ"), request.headers
    case["url"] = url
    case["authorization"] = request.headers["Authorization"]
    return case


def s3_cases():
    odd = "a b+c%d/=@:,;$&!'()*~/\u00e9\u4e2d#?/c.0.1"
    listing = (("delimiter", "/"), ("list-type", "2"), ("prefix", "a b/+\u00e9"), ("start-after", "a b/0"))
    r2 = "https://0123456789abcdef0123456789abcdef.r2.cloudflarestorage.com"
    services = [
        ("amazon", "", "eu-central-1", False),
        ("amazon_us_east_1", "", "us-east-1", True),
        ("amazon_china", "", "cn-north-1", False),
        ("r2", r2, "auto", True),
        ("r2_by_host", r2, "auto", False),
        ("ceph_rgw", "http://rgw.example:7480", "default", True),
        ("ceph_rgw_by_host", "https://objects.example", "us-east-1", False),
        ("minio", "http://127.0.0.1:9000", "us-east-1", True),
        ("minio_tls", "https://minio.example:9443", "eu-west-1", True),
        ("source_cooperative", "https://data.source.coop", "us-west-2", True),
        ("endpoint_with_a_path", "https://project.example/storage/v1/s3", "eu-west-2", True),
    ]
    for name, endpoint, region, path in services:
        if name == "amazon_us_east_1":  # one host for all: the regional one is what we ask
            endpoint = "https://s3.us-east-1.amazonaws.com"
        bucket = "dynamical" if name == "source_cooperative" else "bucket-1"
        yield s3_case(name + "_get", endpoint, region, path, bucket, "repo/chunks/0123ABC")
        yield s3_case(name + "_odd_key", endpoint, region, path, bucket, odd, token=TOKEN)
        yield s3_case(name + "_list", endpoint, region, path, bucket, query=listing)
        yield s3_case(name + "_put", endpoint, region, path, bucket, "repo", method="PUT",
                      body="object", token=TOKEN,
                      headers=(("x-amz-meta-icechunkwriteid", "00ff"),
                               ("x-amz-checksum-crc32c", "TCnd0A==")))
    yield s3_case("dotted_bucket", "https://s3.us-west-2.amazonaws.com", "us-west-2", True,
                  "us-west-2.opendata.source.coop", "a/b")


def azure_case(name, method, path, headers, query=(), body="", account="account",
               endpoint="https://account.blob.core.windows.net"):
    key = base64.b64encode(b"a key that is made up").decode()
    from urllib.parse import quote
    url = endpoint + path
    if query:
        url += "?" + "&".join(f"{quote(k, safe='')}={quote(v, safe='')}" for k, v in sorted(query))
    all_headers = dict(headers)
    all_headers["x-ms-date"] = NOW.strftime("%a, %d %b %Y %H:%M:%S GMT")
    all_headers["x-ms-version"] = "2021-12-02"
    if body:
        all_headers["Content-Length"] = str(len(body))
    request = HttpRequest(method, url, headers=all_headers, content=body.encode() or None)
    request.headers.pop("Content-Type", None) if "content-type" not in dict(headers) else None
    policy = SharedKeyCredentialPolicy(account, key)
    policy.on_request(PipelineRequest(request, PipelineContext(None)))
    return dict(name=name, method=method, account=account, key=key, url=url.split("?")[0],
                query=[list(q) for q in query], headers=[list(h) for h in headers], body=body,
                authorization=request.headers["Authorization"])


def azure_cases():
    yield azure_case("get", "GET", "/container/a/b", ())
    yield azure_case("odd_key", "GET", "/container/a%20b%2Bc/%C3%A9", (("x-ms-range", "bytes=0-9"),))
    yield azure_case("list", "GET", "/container", (), (
        ("restype", "container"), ("comp", "list"), ("prefix", "a b/"), ("delimiter", "/"),
        ("maxresults", "1000")))
    yield azure_case("create", "PUT", "/container/repo", (
        ("if-none-match", "*"), ("x-ms-blob-type", "BlockBlob"),
        ("x-ms-meta-icechunkwriteid", "00ff"), ("content-md5", "qM/eYzG9WesqyW+JEcS2Zg==")),
        body="object")
    yield azure_case("block", "PUT", "/container/large", (("content-md5", "qM/eYzG9WesqyW+JEcS2Zg=="),),
                     (("comp", "block"), ("blockid", "MDAwMQ==")), body="object")
    yield azure_case("replace_by_list", "PUT", "/container/large", (
        ("if-match", '"0x8D"'), ("content-type", "application/xml")),
        (("comp", "blocklist"),), body="<BlockList/>")
    yield azure_case("emulator", "DELETE", "/devstoreaccount1/container/k", (),
                     account="devstoreaccount1", endpoint="http://127.0.0.1:10000")


if __name__ == "__main__":
    logging.disable(logging.CRITICAL)
    print(json.dumps({"time": NOW.strftime("%Y-%m-%dT%H:%M:%S"), "access_key": ACCESS,
                      "secret_key": SECRET, "s3": list(s3_cases()), "azure": list(azure_cases())},
                     indent=1))
