"""What boto3 does with a bucket, as it is configured by default. What it finds wrong ends it."""

import hashlib
import io
import sys
import urllib.request

import boto3
from botocore.exceptions import ClientError

bucket = sys.argv[1]
s3 = boto3.client('s3')


def refused(code, call, **arguments):
    try:
        call(Bucket=bucket, **arguments)
    except ClientError as error:
        assert error.response['Error']['Code'] == code, error.response
        return
    raise AssertionError(f'{code} was expected')


def objects():
    stored = s3.put_object(Bucket=bucket, Key='py/a.txt', Body=b'first', Metadata={'author': 'Ines'})
    assert stored['ETag'] == f'"{hashlib.md5(b"first").hexdigest()}"', stored
    assert stored['ChecksumCRC32'], stored
    read = s3.get_object(Bucket=bucket, Key='py/a.txt', ChecksumMode='ENABLED')
    assert read['Body'].read() == b'first'
    assert read['Metadata'] == {'author': 'Ines'}
    assert read['VersionId'] == stored['VersionId']
    refused('PreconditionFailed', s3.put_object, Key='py/a.txt', Body=b'b', IfNoneMatch='*')
    refused('NoSuchKey', s3.get_object, Key='py/none.txt')
    refused('304', s3.get_object, Key='py/a.txt', IfNoneMatch=stored['ETag'])
    attributes = s3.get_object_attributes(
        Bucket=bucket, Key='py/a.txt', ObjectAttributes=['ETag', 'ObjectSize', 'Checksum']
    )
    assert attributes['ObjectSize'] == 5, attributes
    s3.copy_object(Bucket=bucket, Key='py/b.txt', CopySource={'Bucket': bucket, 'Key': 'py/a.txt'})
    assert s3.head_object(Bucket=bucket, Key='py/b.txt')['Metadata'] == {'author': 'Ines'}


def files():
    content = bytes(range(251)) * 70_000
    s3.upload_fileobj(io.BytesIO(content), bucket, 'py/large.bin')
    back = io.BytesIO()
    s3.download_fileobj(bucket, 'py/large.bin', back)
    assert back.getvalue() == content
    s3.copy({'Bucket': bucket, 'Key': 'py/large.bin'}, bucket, 'py/large-copy.bin')
    assert s3.head_object(Bucket=bucket, Key='py/large-copy.bin')['ContentLength'] == len(content)


def listings():
    for number in range(5):
        s3.put_object(Bucket=bucket, Key=f'py/list/{number}/x.txt', Body=b'')
    pages = s3.get_paginator('list_objects_v2').paginate(
        Bucket=bucket, Prefix='py/list/', Delimiter='/', PaginationConfig={'PageSize': 2}
    )
    prefixes = [each['Prefix'] for page in pages for each in page.get('CommonPrefixes', [])]
    assert prefixes == [f'py/list/{number}/' for number in range(5)], prefixes
    found = boto3.resource('s3').Bucket(bucket).objects.filter(Prefix='py/list/')
    found.delete()
    assert list(found) == []


def urls():
    url = s3.generate_presigned_url('get_object', Params={'Bucket': bucket, 'Key': 'py/a.txt'})
    assert urllib.request.urlopen(url).read() == b'first'
    form = s3.generate_presigned_post(bucket, 'py/form/${filename}')
    boundary = 'between'
    fields = [f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n' for name, value in form['fields'].items()]
    file = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="f.txt"\r\n\r\nby form\r\n--{boundary}--\r\n'
    headers = {'Content-Type': f'multipart/form-data; boundary={boundary}'}
    body = ''.join([*fields, file]).encode()
    request = urllib.request.Request(form['url'], data=body, headers=headers)
    assert urllib.request.urlopen(request).status == 204
    assert s3.get_object(Bucket=bucket, Key='py/form/f.txt')['Body'].read() == b'by form'


objects()
files()
listings()
urls()
print('all is well')
